/** What a view shows when it has nothing to show: loading, empty, failed. */
import { Alert, Button, Code, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { CircleX, type LucideIcon, RotateCw, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../api";

export function Loading({ what }: { what: string }) {
  return (
    <Group justify="center" p="xl" role="status">
      <Loader size="sm" />
      <Text c="dimmed">Loading {what}</Text>
    </Group>
  );
}

export function Empty(props: { icon: LucideIcon; title: string; children?: ReactNode }) {
  const { icon: Icon, title, children } = props;
  return (
    <Stack align="center" gap="xs" p="xl" className="empty">
      <Icon size={36} aria-hidden strokeWidth={1.5} />
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** A failure, with what the gateway said of it and the id under which its log has it. */
export function Failed(props: { error: unknown; what: string; onRetry?: () => void }) {
  const { error, what, onRetry } = props;
  const failure = failureOf(error);
  const { title, detail, request_id: request } = failure.problem;
  const Icon = failure.status === 0 ? Unplug : CircleX;
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<Icon aria-hidden />}
      title={`${what}: ${title}`}
      className="failed"
    >
      <Stack gap="xs" align="flex-start">
        {detail && <Text>{detail}</Text>}
        {request && (
          <Text size="sm" c="dimmed">
            Request <Code>{request}</Code>
          </Text>
        )}
        {onRetry && (
          <Button
            variant="default"
            size="xs"
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={onRetry}
          >
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
