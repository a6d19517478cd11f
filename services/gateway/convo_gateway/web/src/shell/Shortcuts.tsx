import { Kbd, Modal, Switch, Table, Text } from "@mantine/core";
import { useState } from "react";
import { singleKeysAreOn, switchSingleKeys, useShortcuts } from "./keys";

/** What the keys of this page do, and the switch that turns them off. */
export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const shortcuts = useShortcuts();
  const [on, setOn] = useState(singleKeysAreOn);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Table>
        <Table.Tbody>
          {[{ keys: "Ctrl k", what: "Go to a page or do something" }, ...shortcuts].map(
            ({ keys, what }) => (
              <Table.Tr key={keys}>
                <Table.Td>{what}</Table.Td>
                <Table.Td ta="right">
                  {spelt(keys).map((key) => (
                    <Kbd key={key} ml={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label="Shortcuts of a single key"
        description="Turn them off when they get in the way of speech input or another tool."
        checked={on}
        onChange={({ currentTarget }) => {
          switchSingleKeys(currentTarget.checked);
          setOn(currentTarget.checked);
        }}
      />
      {!on && (
        <Text size="sm" c="dimmed" mt="xs">
          Only Ctrl K works now.
        </Text>
      )}
    </Modal>
  );
}

/** Keys to press, in order; a capital letter needs Shift. */
function spelt(keys: string): string[] {
  return keys.split(" ").flatMap((key) => (/^[A-Z]$/.test(key) ? ["Shift", key] : [key]));
}
