import { pieces } from "../visible";

/** Text that somebody else wrote: never markup, and with every hidden character made visible. */
export function Plain({ text }: { text: string }) {
  let at = 0;
  return pieces(text).map(({ text: shown, code }) => {
    at += shown.length;
    return code === undefined ? (
      shown
    ) : (
      <span key={at} className="hidden-character" title={`${code}, ${shown}`}>
        {code}
      </span>
    );
  });
}
