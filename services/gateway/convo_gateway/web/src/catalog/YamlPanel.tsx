import { Button, CopyButton, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useEffect, useState } from "react";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import type { Kind } from "./kinds";
import { comparisonQuery } from "./objects";

const SHOWN = 60_000;

/** A version as the YAML document that would write it. */
export function YamlPanel(props: { kind: Kind; name: string; version: number }) {
  const { kind, name, version } = props;
  const { data, error, isPending, refetch } = useQuery(
    comparisonQuery(kind, name, version, version),
  );
  if (isPending) return <Loading what="the YAML" />;
  if (data === undefined) {
    return <Failed error={error} what="YAML" onRetry={() => void refetch()} />;
  }
  const text = data.after_yaml;
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
        <DownloadLink text={text} file={`${name}-v${version}.yaml`} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre className="json" tabIndex={0}>
        <Plain text={text.slice(0, SHOWN)} />
      </pre>
      {text.length > SHOWN && (
        <p className="minor">
          The first {count(SHOWN)} of {count(text.length)} characters; copy and download have all.
        </p>
      )}
    </>
  );
}

function DownloadLink({ text, file }: { text: string; file: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={address}
      download={file}
      leftSection={<Download size={14} aria-hidden />}
    >
      Download
    </Button>
  );
}
