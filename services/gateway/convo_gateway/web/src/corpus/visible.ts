/** Characters that nobody sees and that change how text looks, made visible. Pure.

Joiners (U+200C, U+200D) and variation selectors stay: scripts and emoji need them. Right-to-left text is shown as it
is; only the controls that turn the order of other text around are taken out. */

export interface Piece {
  text: string;
  /** The character that this stands for, such as `U+202E`; its text is the name for people. */
  code?: string;
}

const NAMES: Record<number, string> = {
  0x00: "null",
  0x07: "bell",
  0x08: "backspace",
  0x0d: "carriage return",
  0x1b: "escape",
  0x7f: "delete",
  0xad: "soft hyphen",
  0x61c: "arabic letter mark",
  0x200b: "zero width space",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "pop directional isolate",
  0xfeff: "byte order mark",
  0xfffc: "object replacement",
};

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  // biome-ignore lint/complexity/noUselessEscapeInRegex: code points in one notation
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
