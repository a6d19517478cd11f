import { Alert, List } from "@mantine/core";
import { CircleX } from "lucide-react";
import { useEffect, useRef } from "react";
import { plural } from "../../format";
import { plainer } from "../errors";
import { type FieldError, goToField } from "./form";

const MOST = 20;

/** Everything that is wrong, each with a link to its field. It takes the focus when it comes. */
export function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
  const box = useRef<HTMLDivElement>(null);
  const some = errors.length > 0;
  useEffect(() => {
    if (some) box.current?.focus();
  }, [some]);
  if (!some) return null;
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="red"
      variant="outline"
      icon={<CircleX aria-hidden />}
      title={`Nothing was saved: ${plural(errors.length, "thing")} to put right`}
      className="failed"
    >
      <List size="sm">
        {errors.slice(0, MOST).map(({ pointer, detail }) => (
          <List.Item key={`${pointer} ${detail}`}>
            <button type="button" className="jump" onClick={() => goToField(pointer)}>
              {pointer || "the whole object"}
            </button>
            : {plainer(detail)}
          </List.Item>
        ))}
      </List>
      {errors.length > MOST && `and ${plural(errors.length - MOST, "other")}`}
    </Alert>
  );
}
