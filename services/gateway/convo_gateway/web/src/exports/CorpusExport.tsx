import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useState } from "react";
import type { ConversationFilter } from "../api";
import { type CorpusSearch, queryOf } from "../corpus/search";
import { ExportDialog } from "./ExportDialog";

/** Exports what the filter of the corpus shows. */
export function CorpusExport({ search }: { search: CorpusSearch }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Export
      </Button>
      <ExportDialog
        opened={asking}
        onClose={() => setAsking(false)}
        source={{ filter: queryOf(search) as ConversationFilter }}
        of="what the filter shows"
      />
    </>
  );
}
