/** Asks for a data set: which form, which conversations, which splits. It is made in the background. */
import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { PackageOpen } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import type { ExportSource } from "../api";
import { Failed } from "../parts/states";
import { useFormats, useSetNames, useStartExport } from "./useExports";
import { type Choices, type Status, splitsOf, USUAL, wishOf } from "./wish";

interface Props {
  opened: boolean;
  onClose: () => void;
  source: ExportSource;
  /** What it is taken from, in words. */
  of: string;
}

const STATUSES: [Status, string][] = [
  ["accepted", "Accepted"],
  ["rejected", "Rejected"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"],
  ["open", "Open"],
];
const REVIEWS = [
  { value: "all", label: "All, whatever people decided" },
  { value: "not_flagged", label: "Not what people flagged or rejected" },
  { value: "approved", label: "Only what a person accepted" },
];
const TEXTS = [
  { value: "edited", label: "As people edited them" },
  { value: "original", label: "As they were made" },
];
const PAIRS = [
  { value: "shared_opening", label: "Siblings that begin alike" },
  { value: "whole", label: "Any siblings, whole" },
];

export function ExportDialog({ opened, onClose, source, of }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<strong>Export {of}</strong>}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <ExportForm source={source} onClose={onClose} />
    </Modal>
  );
}

function ExportForm({ source, onClose }: { source: ExportSource; onClose: () => void }) {
  const [choices, setChoices] = useState(USUAL);
  const [tried, setTried] = useState(false);
  const key = useRef(crypto.randomUUID()); // a double click makes one export
  const { data: formats = [] } = useFormats();
  const { data: verdictSets = [] } = useSetNames(source.run);
  const start = useStartExport();
  const navigate = useNavigate();
  const set = (part: Partial<Choices>) => {
    key.current = crypto.randomUUID();
    setChoices((before) => ({ ...before, ...part }));
  };
  const splits = splitsOf(choices.splits);
  const isPairs = choices.format === "preference";
  const ofRun = source.run != null;
  const nothing = ofRun && !isPairs && choices.statuses.length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const wish = wishOf(source, choices);
    if (wish === undefined || nothing) return;
    start.mutate(
      { wish, key: key.current },
      {
        onSuccess: ({ id }) => {
          onClose();
          void navigate({ to: "/exports", search: { export: id } });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <NativeSelect
          label="Format"
          value={choices.format}
          data-autofocus
          data={formats.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={({ currentTarget }) => set({ format: currentTarget.value })}
        />
        {ofRun && !isPairs && (
          <Checkbox.Group
            label="Conversations"
            value={choices.statuses}
            error={tried && nothing ? "Choose at least one" : undefined}
            onChange={(statuses) => set({ statuses: statuses as Status[] })}
          >
            <Group gap="sm" mt={4}>
              {STATUSES.map(([value, label]) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        {isPairs && (
          <NativeSelect
            label="Pairs"
            description="An accepted conversation against a sibling that the judge rejected"
            value={choices.pairs}
            data={PAIRS}
            onChange={({ currentTarget }) =>
              set({ pairs: currentTarget.value as Choices["pairs"] })
            }
          />
        )}
        <TextInput
          label="Splits"
          description="Shares by name, such as train=0.9, test=0.1"
          value={choices.splits}
          error={typeof splits === "string" ? splits : undefined}
          onChange={({ currentTarget }) => set({ splits: currentTarget.value })}
        />
        <Checkbox
          label="Near siblings stay in one split"
          description="Same persona, voice and pool values; where there are few of them, shares are rough"
          checked={choices.together}
          onChange={({ currentTarget }) => set({ together: currentTarget.checked })}
        />
        <More choices={choices} set={set} verdictSets={verdictSets} />
        {start.error && <Failed error={start.error} what="No export was begun" />}
        <Text size="sm" c="dimmed">
          It is made in the background and stays for some days under Exports.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            leftSection={<PackageOpen size={16} aria-hidden />}
          >
            Start export
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function More(props: {
  choices: Choices;
  set: (part: Partial<Choices>) => void;
  verdictSets: string[];
}) {
  const { choices, set, verdictSets } = props;
  return (
    <details className="export-more">
      <summary>Reviews, compression and name</summary>
      <Stack gap="sm" mt="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeSelect
            label="Reviews"
            value={choices.reviews}
            data={REVIEWS}
            onChange={({ currentTarget }) =>
              set({ reviews: currentTarget.value as Choices["reviews"] })
            }
          />
          <NativeSelect
            label="Turns"
            value={choices.text}
            data={TEXTS}
            onChange={({ currentTarget }) => set({ text: currentTarget.value as Choices["text"] })}
          />
          <TextInput
            label="Name (optional)"
            maxLength={500}
            value={choices.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <TextInput
            label="Licence (optional)"
            placeholder="cc-by-4.0"
            maxLength={100}
            value={choices.license}
            onChange={({ currentTarget }) => set({ license: currentTarget.value })}
          />
        </SimpleGrid>
        {verdictSets.length > 0 && (
          <NativeSelect
            label="Verdicts"
            value={choices.verdictSet}
            data={[{ value: "", label: "The run's own record" }, ...verdictSets]}
            onChange={({ currentTarget }) => set({ verdictSet: currentTarget.value })}
          />
        )}
        <Checkbox
          label="Compress with zstd"
          checked={choices.zstd}
          onChange={({ currentTarget }) => set({ zstd: currentTarget.checked })}
        />
        {choices.format === "csv" && (
          <Checkbox
            label="Byte order mark, for spreadsheets"
            checked={choices.bom}
            onChange={({ currentTarget }) => set({ bom: currentTarget.checked })}
          />
        )}
      </Stack>
    </details>
  );
}
