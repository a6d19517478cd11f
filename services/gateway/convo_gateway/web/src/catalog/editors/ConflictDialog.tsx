import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { Merge as MergeIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { When } from "../../parts/When";
import type { Json } from "../json";
import { type Both, chosenOf, threeWay } from "../merge";
import type { Item } from "../objects";
import { Value } from "../versions/FieldChanges";
import "../versions/versions.css";

interface Props {
  base: Item;
  mine: Json;
  theirs: Item;
  /** Go on editing with this, on top of their version. */
  onChoose: (value: Json) => void;
  onClose: () => void;
}

/** Somebody else saved meanwhile: both versions, and what to go on with. */
export function ConflictDialog({ base, mine, theirs, onChoose, onClose }: Props) {
  const merge = useMemo(() => threeWay(base.body, mine, theirs.body), [base, mine, theirs]);
  const [choices, setChoices] = useState<Record<string, "mine" | "theirs">>({});
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title="Somebody else was faster"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="sm">
        <Text>
          You edited version {base.version}; version {theirs.version} was saved{" "}
          <When at={theirs.created_at} />
          {theirs.note && (
            <>
              {" "}
              with the note “<Plain text={theirs.note} />”
            </>
          )}
          . Nothing of yours is lost: choose what to go on with, and save again.
        </Text>
        <Only words="Only they changed" pointers={merge.theirs} />
        <Only words="Only you changed" pointers={merge.mine} />
        {merge.both.map((both) => (
          <Choice
            key={both.pointer}
            both={both}
            chosen={choices[both.pointer] ?? "mine"}
            onChoose={(side) => setChoices((before) => ({ ...before, [both.pointer]: side }))}
          />
        ))}
        {merge.both.length === 0 && <Text>No field was changed by both.</Text>}
        <Group gap="xs">
          <Button
            leftSection={<MergeIcon size={16} aria-hidden />}
            onClick={() => onChoose(chosenOf(merge, choices))}
          >
            Merge
          </Button>
          <Button variant="default" onClick={() => onChoose(mine)}>
            Keep all of mine
          </Button>
          <Button variant="default" onClick={() => onChoose(theirs.body)}>
            Take all of theirs
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const MOST = 12;

function Only({ words, pointers }: { words: string; pointers: string[] }) {
  if (pointers.length === 0) return null;
  return (
    <Text size="sm">
      {words}: <code>{pointers.slice(0, MOST).join(", ")}</code>
      {pointers.length > MOST && ` and ${plural(pointers.length - MOST, "other")}`}
    </Text>
  );
}

function Choice(props: {
  both: Both;
  chosen: "mine" | "theirs";
  onChoose: (side: "mine" | "theirs") => void;
}) {
  const { both, chosen, onChoose } = props;
  return (
    <Radio.Group
      className="conflict"
      label={
        <>
          Both changed <code>{both.pointer}</code>
        </>
      }
      value={chosen}
      onChange={(side) => onChoose(side as "mine" | "theirs")}
    >
      <div className="change-values">
        <div>
          <Radio value="mine" label="Mine" my={4} />
          <Value name="What you wrote" value={both.mine} />
        </div>
        <div>
          <Radio value="theirs" label="Theirs" my={4} />
          <Value name="What they wrote" value={both.theirs} />
        </div>
      </div>
    </Radio.Group>
  );
}
