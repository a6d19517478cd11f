import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play, Search } from "lucide-react";
import { useState } from "react";
import { listRuns } from "../api";
import { PLACES } from "./places";

const MOST_RUNS = 8;

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
  return (
    <Spotlight
      actions={[...places, start, ...found]}
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

export const openPalette = spotlight.open;
