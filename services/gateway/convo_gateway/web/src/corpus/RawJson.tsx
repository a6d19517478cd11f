import { Button, CopyButton, Group } from "@mantine/core";
import { Copy, Download } from "lucide-react";
import { useMemo } from "react";
import type { Conversation } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";

const SHOWN = 40_000;

/** The conversation as the API gives it. */
export function RawJson({ of }: { of: Conversation }) {
  const text = useMemo(() => JSON.stringify(of, null, 2), [of]);
  return (
    <>
      <Group gap="xs" mb="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={<Copy size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button
          size="xs"
          variant="default"
          component="a"
          href={`/api/v1/conversations/${of.id}`}
          download={`${of.id}.json`}
          leftSection={<Download size={14} aria-hidden />}
        >
          Download
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre className="json" tabIndex={0}>
        <Plain text={text.slice(0, SHOWN)} />
      </pre>
      {text.length > SHOWN && (
        <p>
          The first {count(SHOWN)} of {count(text.length)} characters; the download has all.
        </p>
      )}
    </>
  );
}
