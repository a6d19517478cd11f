import { EyeOff } from "lucide-react";
import { pieces } from "../../visible";

const SEARCHED = 200_000;

/** Says which characters of a field nobody sees. */
export function HiddenNotice({ text }: { text: string }) {
  const hidden = pieces(text.slice(0, SEARCHED)).filter(({ code }) => code !== undefined);
  if (hidden.length === 0) return null;
  const names = [...new Set(hidden.map((piece) => `${piece.text} (${piece.code})`))];
  return (
    <p className="field-notice warn">
      <EyeOff size={14} aria-hidden />
      Characters that nobody sees: {names.slice(0, 5).join(", ")}
      {names.length > 5 && " and more"}
    </p>
  );
}
