import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { listEvents } from "../api";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { When } from "../parts/When";
import { type About, inWords } from "./story";

const MOST = 1_000;
const REREAD_MS = 30_000;
const FILTERS: { value: About | "all"; label: string }[] = [
  { value: "all", label: "All events" },
  { value: "state", label: "State changes" },
  { value: "kick", label: "Kicks" },
];

/** The life of the run: what changed its state, and kicks. Newest first. */
export const Events = memo(function Events({ run, isLive }: { run: string; isLive: boolean }) {
  const [about, setAbout] = useState<About | "all">("all");
  const { data } = useQuery({
    queryKey: ["run", run, "events"],
    queryFn: async ({ signal }) => {
      const query = { about: "run", limit: MOST } as const;
      return (await listEvents({ path: { run }, query, signal, throwOnError: true })).data;
    },
    refetchInterval: isLive ? REREAD_MS : false,
  });
  const told = (data?.items ?? []).map((event) => ({ ...event, ...inWords(event) })).reverse();
  const shown = told.filter((event) => about === "all" || event.about === about);
  return (
    <Section
      title="Events"
      beside={
        <NativeSelect
          size="xs"
          aria-label="Which events"
          value={about}
          data={FILTERS}
          onChange={({ currentTarget: { value } }) => setAbout(value as About | "all")}
        />
      }
    >
      {data?.next_cursor && (
        <Text size="sm" c="dimmed">
          The first {MOST} events; the API has the rest.
        </Text>
      )}
      {shown.length === 0 ? (
        <Text c="dimmed">{data === undefined ? "Loading" : "None."}</Text>
      ) : (
        <ol className="story">
          {shown.map(({ id, at, what, why, late }) => (
            <li key={id}>
              <When at={at} />
              <span>
                <strong>{what}</strong> <Plain text={why} />
                {late && " (came too late, changed nothing)"}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
});
