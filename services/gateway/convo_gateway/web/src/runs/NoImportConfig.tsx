import { Alert, Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Info, Plus } from "lucide-react";

/** What to do where no config reads an import yet. */
export function NoImportConfig() {
  return (
    <Alert variant="outline" mt="md" icon={<Info aria-hidden />} role="status">
      <Text size="sm">
        There is no run config of mode import yet. It says which rules, which filter lists and which
        judge the conversations are held against. The starter catalog has one,{" "}
        <code>clean-import</code>: <code>convo catalog init</code> writes it into a folder.
      </Text>
      <Button
        mt="xs"
        size="xs"
        leftSection={<Plus size={15} aria-hidden />}
        renderRoot={(props) => (
          <Link to="/catalog/run-configs/new" search={{ mode: "import" }} {...props} />
        )}
      >
        Make one
      </Button>
    </Alert>
  );
}
