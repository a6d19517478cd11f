import { Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { getConversation } from "../api";
import { CopyId } from "../parts/CopyId";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";

const route = getRouteApi("/corpus/$conversation");

/** One conversation: what was said, and the verdict. */
export function ConversationPage() {
  const { conversation: id } = route.useParams();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["conversation", id],
    queryFn: async ({ signal }) =>
      (await getConversation({ path: { conversation: id }, signal, throwOnError: true })).data,
  });
  if (isPending) return <Loading what="the conversation" />;
  if (data === undefined) {
    return (
      <Stack>
        <PageTitle title="Conversation" />
        <Failed error={error} what={`Conversation ${id}`} onRetry={() => void refetch()} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <PageTitle title="Conversation" beside={<StatusBadge status={data.status} />} />
      <CopyId id={data.id} what="conversation id" />
      {data.reason && (
        <Text>
          <strong>{data.reason}</strong> {data.detail}
        </Text>
      )}
      <ol className="turns">
        {data.messages.map(({ number, role, text }) => (
          <Paper component="li" key={number} withBorder p="sm" className="turn" data-role={role}>
            <Text size="xs" fw={600} c="dimmed">
              {role}
            </Text>
            <Text className="turn-text">{text}</Text>
          </Paper>
        ))}
      </ol>
    </Stack>
  );
}
