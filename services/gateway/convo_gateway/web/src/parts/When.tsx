import { absolute, relative } from "../format";
import { useNow } from "../now";

/** A moment: how long ago, and exactly when one points at it. */
export function When({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={absolute(at)}>
      {relative(at, now)}
    </time>
  );
}
