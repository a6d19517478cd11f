import { Button, Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { PageTitle } from "../../shell/PageTitle";
import "../../run/run.css";
import "../catalog.css";
import "../editors/editor.css";
import "./transfer.css";
import { TableImport } from "./TableImport";
import { YamlImport } from "./YamlImport";

const route = getRouteApi("/catalog/import");

/** Brings objects into the catalog: any kind as YAML, many rows as a table. */
export function ImportPage() {
  const { way, kind } = route.useSearch();
  const navigate = useNavigate({ from: "/catalog/import" });
  const shown = way ?? (kind ? "table" : "yaml");
  return (
    <Stack gap="md">
      <PageTitle title="Import">
        <Button
          component="a"
          variant="default"
          href="/api/v1/catalog/export"
          download="catalog.yaml"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export the whole catalog
        </Button>
      </PageTitle>
      <Text size="sm" c="dimmed">
        Nothing is written before you see what would change. What is there already with the same
        content is left as it is.
      </Text>
      <Tabs
        value={shown}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, way: next === "table" ? "table" : "yaml" }),
            replace: true,
          })
        }
        keepMounted={false}
        className="catalog-parts"
      >
        <Tabs.List>
          <Tabs.Tab value="yaml">YAML, any kind</Tabs.Tab>
          <Tabs.Tab value="table">CSV or JSON lines</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="yaml">
          <YamlImport />
        </Tabs.Panel>
        <Tabs.Panel value="table">
          <TableImport
            kind={kind ?? "personas"}
            onKind={(next) =>
              void navigate({ search: (before) => ({ ...before, kind: next }), replace: true })
            }
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
