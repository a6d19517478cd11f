/** `[` and `]`: the run before and after this one, newest first. */
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { listRuns } from "../api";
import { useKey } from "../shell/keys";

const LOOKED_AT = 1_000;

export function useBeside(id: string): void {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const go = async (step: 1 | -1) => {
    const { data } = await cache.fetchQuery({
      queryKey: ["runs", "beside"],
      queryFn: () => listRuns({ query: { limit: LOOKED_AT }, throwOnError: true }),
    });
    const at = data.items.findIndex((run) => run.id === id);
    const beside = at < 0 ? undefined : data.items[at + step];
    if (beside) void navigate({ to: "/runs/$run", params: { run: beside.id } });
    else notifications.show({ message: step < 0 ? "No newer run" : "No older run" });
  };
  useKey("[", "Run before this one in the list", () => void go(-1));
  useKey("]", "Run after this one in the list", () => void go(1));
}
