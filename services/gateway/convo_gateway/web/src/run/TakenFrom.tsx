import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileInput } from "lucide-react";
import { memo } from "react";
import { getSnapshot } from "../api";
import { Plain } from "../parts/Plain";
import { howMuch, sourceOf } from "./source";

/** What a run of mode import reads, as it was frozen at its start. */
export const TakenFrom = memo(function TakenFrom({ run, target }: { run: string; target: number }) {
  const { data: source } = useQuery({
    queryKey: ["run", run, "source"],
    queryFn: async ({ signal }) =>
      sourceOf((await getSnapshot({ path: { run }, signal, throwOnError: true })).data) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!source) return null;
  return (
    <Text size="sm" className="taken-from">
      <FileInput size={16} aria-hidden />
      <span>
        {howMuch(target, source)} of{" "}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link to="/imports/$source" params={{ source: source.id }} {...props} />
          )}
        >
          <Plain text={source.name} />
        </Anchor>
        , which were made elsewhere. Nothing is generated.
      </span>
    </Text>
  );
});
