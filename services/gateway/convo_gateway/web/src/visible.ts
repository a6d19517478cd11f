/** Characters that nobody sees and that change how text looks, made visible. Pure.

Joiners (U+200C, U+200D) and variation selectors stay: scripts and emoji need them. Right-to-left text is shown as it
is; only the controls that turn the order of other text around are taken out. */

export interface Piece {
  text: string;
  /** The character that this stands for, such as `U+202E`; its text is the name for people. */
  code?: string;
}

const NAMES: Record<number, string> = {
  0: "null",
  7: "bell",
  8: "backspace",
  13: "carriage return",
  27: "escape",
  127: "delete",
  173: "soft hyphen",
  1564: "arabic letter mark",
  8203: "zero width space",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "pop directional formatting",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "pop directional isolate",
  65279: "byte order mark",
  65532: "object replacement",
};

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffc}\u{e0000}-\u{e007f}]/gu;

/** The text in pieces: as it is, or one hidden character with its name. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > from) found.push({ text: text.slice(from, index) });
    from = index + character.length;
    if (character === "\r" && text[from] === "\n") continue;
    found.push(named(character.codePointAt(0) ?? 0));
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

function named(point: number): Piece {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const tag = point >= 0xe0000 ? `tag ${String.fromCodePoint(point - 0xe0000).trim()}` : "control";
  return { code, text: NAMES[point] ?? tag };
}
