import { Button, CopyButton } from "@mantine/core";
import { Copy } from "lucide-react";
import { useSyncExternalStore } from "react";
import { count } from "../format";
import type { Draft } from "../parts/form/draft";
import { Plain } from "../parts/Plain";
import type { Body } from "./body";
import { toYaml } from "./yaml";

const SHOWN = 60_000;

/** What is being edited, as the YAML document that would write it. */
export function YamlView({ draft }: { draft: Draft }) {
  const value = useSyncExternalStore(draft.subscribe, () => draft.value);
  const text = toYaml({ kind: "run-config", ...(value as Body) });
  return (
    <section className="form-section" aria-label="YAML">
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre className="config-yaml" tabIndex={0}>
        <Plain text={text.slice(0, SHOWN)} />
      </pre>
      {text.length > SHOWN && (
        <p className="minor">
          The first {count(SHOWN)} of {count(text.length)} characters; a copy has all.
        </p>
      )}
    </section>
  );
}
