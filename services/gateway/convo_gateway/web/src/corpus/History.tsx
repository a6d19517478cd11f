import { Text } from "@mantine/core";
import { Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { useEvents } from "./useConversation";

/** What the archive has of it, oldest first. */
export function History({ id }: { id: string }) {
  const { data, error, isPending } = useEvents(id);
  if (isPending) return <Loading what="its events" />;
  if (data === undefined) return <Failed error={error} what="Events" />;
  if (data.length === 0) return <Text c="dimmed">The archive has no event of it.</Text>;
  return (
    <ol className="story">
      {data.map(({ id: event, at, type, producer, seq, late }) => (
        <li key={event}>
          <When at={at} />
          <span>
            <strong>{type}</strong>
            {late && " (came too late, changed nothing)"}
            <Text size="xs" c="dimmed">
              {producer}, position {seq}
            </Text>
          </span>
        </li>
      ))}
    </ol>
  );
}
