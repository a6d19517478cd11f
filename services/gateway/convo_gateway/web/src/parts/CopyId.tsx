import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { memo } from "react";

/** An id, whole, with a button that copies it. */
export const CopyId = memo(function CopyId(props: { id: string; what?: string }) {
  const { id, what = "id" } = props;
  return (
    <Group gap={4} wrap="nowrap" className="copy-id">
      <Text component="code" size="sm" c="dimmed" ff="monospace">
        {id}
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : `Copy the ${what}`}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={copy}
              aria-label={copied ? "Copied" : `Copy the ${what}`}
            >
              {copied ? <Check size={14} /> : <Copy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
});
