import { Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A part of a page with its heading; `beside` stands at the other end of the heading's line. */
export function Section(props: { title: string; beside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id} className="section">
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4" id={id}>
          {props.title}
        </Title>
        {props.beside}
      </Group>
      {props.children}
    </Paper>
  );
}
