import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Eye, PencilLine, Play, Search } from "lucide-react";
import { useState } from "react";
import { listRunConfigs, listRuns } from "../api";
import { PLACES } from "./places";

const MOST_RUNS = 8;
const MOST_CONFIGS = 4;

/** Go to a page or a run, or start one: Ctrl or Cmd and K. */
export function Palette() {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const runs = useQuery({
    queryKey: ["palette", query],
    queryFn: ({ signal }) =>
      listRuns({ query: { q: query || undefined, limit: MOST_RUNS }, signal, throwOnError: true }),
    enabled: query !== "",
    placeholderData: (before) => before,
  });
  const places: SpotlightActionData[] = PLACES.map(({ to, name, icon: Icon }) => ({
    id: to,
    label: name,
    description: "Page",
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => navigate({ to }),
  }));
  const start: SpotlightActionData = {
    id: "start",
    label: "Start run",
    description: "Check the cost first",
    leftSection: <Play size={18} aria-hidden />,
    onClick: () => navigate({ to: "/runs", search: { form: "open" } }),
  };
  const found = (query === "" ? [] : (runs.data?.data.items ?? [])).map(
    (run): SpotlightActionData => ({
      id: run.id,
      label: run.name,
      description: `Run, ${run.status}`,
      keywords: [run.id],
      onClick: () => navigate({ to: "/runs/$run", params: { run: run.id } }),
    }),
  );
  const configs = useConfigActions(query);
  return (
    <Spotlight
      actions={[...places, start, ...configs, ...found]}
      onQueryChange={setQuery}
      query={query}
      shortcut="mod + K"
      nothingFound="Nothing of that name"
      highlightQuery
      scrollable
      overlayProps={{ blur: 0 }}
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: "Page, action, or a run's name or id",
        "aria-label": "Go to a page or a run",
      }}
    />
  );
}

/** Preview or edit a run config of that name. */
function useConfigActions(query: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const q = query.replace(/^(preview|edit)\s+/i, "").trim();
  const { data } = useQuery({
    queryKey: ["palette", "run-configs", q],
    queryFn: async ({ signal }) =>
      (await listRunConfigs({ query: { q, limit: MOST_CONFIGS }, signal, throwOnError: true })).data
        .items,
    enabled: query !== "",
    placeholderData: (before) => before,
  });
  return (query === "" ? [] : (data ?? [])).flatMap(({ name, headline }): SpotlightActionData[] => {
    const preview = {
      id: `preview ${name}`,
      label: `Preview ${name}`,
      description: "Seed preview: what a run of it will make",
      leftSection: <Eye size={18} aria-hidden />,
      onClick: () => navigate({ to: "/catalog/run-configs/$name/preview", params: { name } }),
    };
    const edit = {
      id: `edit ${name}`,
      label: `Edit ${name}`,
      description: "Run config",
      leftSection: <PencilLine size={18} aria-hidden />,
      onClick: () => navigate({ to: "/catalog/run-configs/$name/edit", params: { name } }),
    };
    return headline.mode === "import" ? [edit] : [preview, edit];
  });
}

export const openPalette = spotlight.open;
