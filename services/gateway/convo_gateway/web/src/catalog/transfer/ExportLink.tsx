import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { type Kind, WORDS } from "../kinds";

/** Takes an object, or all of a kind, out as YAML. */
export function ExportLink({ kind, name }: { kind: Kind; name?: string }) {
  const query = new URLSearchParams(name === undefined ? { kind } : { kind, name });
  return (
    <Button
      component="a"
      variant="default"
      href={`/api/v1/catalog/export?${query}`}
      download={`${name ?? kind}.yaml`}
      leftSection={<Download size={16} aria-hidden />}
      aria-label={name === undefined ? `Export all ${WORDS[kind].many.toLowerCase()}` : undefined}
    >
      Export
    </Button>
  );
}
