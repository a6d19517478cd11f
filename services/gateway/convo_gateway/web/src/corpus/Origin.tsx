import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { OriginShown } from "../api";
import { count, plural } from "../format";
import { Plain } from "../parts/Plain";

const LONG = 4_000;

/** Which row of which file a conversation was, and what stood there beside its turns. */
export function Origin({ of: origin }: { of: OriginShown }) {
  const { source, name, row, is_there, left_out } = origin;
  const { system, ...others } = origin.metadata;
  const more = Object.entries(others);
  const file = <Plain text={name ?? "a file"} />;
  return (
    <section className="origin" aria-label="Where it comes from">
      <p>
        Row {count(row)} of{" "}
        {is_there ? (
          <Link to="/imports/$source" params={{ source }}>
            {file}
          </Link>
        ) : (
          <>
            {file}, whose import {source} is deleted
          </>
        )}
      </p>
      {system !== undefined && (
        <details>
          <summary>System message</summary>
          <Value of={system} />
        </details>
      )}
      {more.length > 0 && (
        <details>
          <summary>{plural(more.length, "more field")} of the row</summary>
          <dl>
            {more.map(([field, value]) => (
              <div key={field}>
                <dt dir="auto">
                  <Plain text={field} />
                </dt>
                <dd>
                  <Value of={value} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {left_out.length > 0 && (
        <Text size="xs" c="dimmed">
          Too much to keep: <Plain text={left_out.join(", ")} />
        </Text>
      )}
    </section>
  );
}

/** Text as it is, anything else as JSON; of a long one the beginning first. */
function Value({ of }: { of: unknown }) {
  const [whole, setWhole] = useState(false);
  const text = useMemo(() => (typeof of === "string" ? of : JSON.stringify(of)), [of]);
  const isLong = !whole && text.length > LONG;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre dir="auto" tabIndex={0}>
        <Plain text={isLong ? text.slice(0, LONG) : text} />
      </pre>
      {isLong && (
        <Button size="compact-xs" variant="default" onClick={() => setWhole(true)}>
          Show all {count(text.length)} characters
        </Button>
      )}
    </>
  );
}
