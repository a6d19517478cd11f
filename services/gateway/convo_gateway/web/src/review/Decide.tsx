/** What the reviewer says: the decision, why, a note. */
import { Alert, Button, Group, Kbd, Stack, Textarea, TextInput } from "@mantine/core";
import { Ban, Check, Flag, SkipForward } from "lucide-react";
import type { Hit, ReviewShown } from "../api";
import { plural } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { When } from "../parts/When";
import { DECIDED, type Decision, type Opinion } from "./opinion";

interface Props {
  opinion: Opinion;
  latest: ReviewShown | null;
  isSaving: boolean;
  /** What layer 1 found in the edited text when it was to be saved. */
  hits: Hit[] | undefined;
  onChange: (change: (before: Opinion) => Opinion) => void;
  onSay: (decision: Decision, despite?: string[]) => void;
  onSkip: () => void;
}

export function Decide({ opinion, latest, isSaving, hits, onChange, onSay, onSkip }: Props) {
  const edits = Object.keys(opinion.edits).length;
  return (
    <Section title="Your review">
      <Stack gap="sm">
        <Standing latest={latest} />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Check size={16} aria-hidden />}
            rightSection={<Kbd size="xs">A</Kbd>}
            aria-disabled={isSaving}
            onClick={() => onSay("accepted")}
          >
            Accept
          </Button>
          <Button
            variant="default"
            leftSection={<Flag size={16} aria-hidden />}
            rightSection={<Kbd size="xs">F</Kbd>}
            aria-disabled={isSaving}
            onClick={() => onSay("flagged")}
          >
            Flag
          </Button>
          <Button
            variant="default"
            leftSection={<Ban size={16} aria-hidden />}
            rightSection={<Kbd size="xs">X</Kbd>}
            aria-disabled={isSaving}
            onClick={() => onSay("rejected")}
          >
            Reject
          </Button>
          <Button
            variant="subtle"
            leftSection={<SkipForward size={16} aria-hidden />}
            rightSection={<Kbd size="xs">S</Kbd>}
            onClick={onSkip}
          >
            Skip
          </Button>
        </Group>
        {edits > 0 && (
          <Group gap="xs">
            <span>{plural(edits, "turn")} edited, not saved before you decide.</span>
            <Button variant="default" size="compact-sm" onClick={() => onSay("")}>
              Save the edit without a decision
            </Button>
          </Group>
        )}
        {hits && (
          <RulesHit hits={hits} onLetStand={(despite) => onSay(opinion.decision, despite)} />
        )}
        <TextInput
          label="Reason"
          description="A word or two, where you flag or reject"
          maxLength={200}
          value={opinion.reason}
          onChange={({ currentTarget: { value } }) =>
            onChange((before) => ({ ...before, reason: value }))
          }
        />
        <Textarea
          label="Note"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4_000}
          value={opinion.note}
          onChange={({ currentTarget: { value } }) =>
            onChange((before) => ({ ...before, note: value }))
          }
        />
      </Stack>
    </Section>
  );
}

function Standing({ latest }: { latest: ReviewShown | null }) {
  if (latest === null) return <p className="review-standing">Nobody has reviewed it yet.</p>;
  return (
    <p className="review-standing">
      Now: <strong>{DECIDED[latest.decision]}</strong>
      {latest.edits.length > 0 && `, ${plural(latest.edits.length, "turn")} edited`} by{" "}
      <Plain text={latest.reviewer} />, <When at={latest.at} />
      {latest.reason && (
        <>
          : <Plain text={latest.reason} />
        </>
      )}
    </p>
  );
}

function RulesHit(props: { hits: Hit[]; onLetStand: (despite: string[]) => void }) {
  const { hits, onLetStand } = props;
  return (
    <Alert
      color="yellow"
      className="caution"
      variant="outline"
      role="alert"
      title="Not saved: the edited text hits rules"
    >
      <Stack gap="xs" align="flex-start">
        <ul className="review-hits">
          {hits.map(({ reason, detail, excerpt, turn }) => (
            <li key={reason}>
              <strong>{reason}</strong>
              {typeof turn === "number" && ` in turn ${turn + 1}`}: <Plain text={detail ?? ""} />
              {excerpt && (
                <q dir="auto">
                  <Plain text={excerpt} />
                </q>
              )}
            </li>
          ))}
        </ul>
        <Button
          variant="default"
          size="xs"
          onClick={() => onLetStand(hits.map(({ reason }) => reason))}
        >
          Save it all the same
        </Button>
      </Stack>
    </Alert>
  );
}
