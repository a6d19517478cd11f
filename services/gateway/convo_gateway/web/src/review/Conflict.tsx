/** Somebody else reviewed the same conversation meanwhile: both versions, and the choice. */
import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ReviewShown, StoredTurn } from "../api";
import { Plain } from "../parts/Plain";
import { When } from "../parts/When";
import { Changes } from "./Changes";
import { DECIDED, type Opinion, saidBy } from "./opinion";

interface Props {
  theirs: ReviewShown | undefined;
  mine: Opinion;
  turns: StoredTurn[];
  onTheirs: () => void;
  onMine: (seen: number) => void;
}

export function Conflict({ theirs, mine, turns, onTheirs, onMine }: Props) {
  if (theirs === undefined) return null;
  return (
    <Alert
      color="yellow"
      className="caution"
      variant="outline"
      role="alert"
      title={
        <>
          Not saved: <Plain text={theirs.reviewer} /> reviewed it meanwhile
        </>
      }
    >
      <Stack gap="xs">
        <p className="review-standing">
          <When at={theirs.at} />
        </p>
        <Version title="Theirs" opinion={saidBy(theirs)} turns={turns} />
        <Version title="Yours" opinion={mine} turns={turns} />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onTheirs}>
            Keep theirs
          </Button>
          <Button size="xs" onClick={() => onMine(theirs.version)}>
            Save mine after it
          </Button>
        </Group>
        <p className="review-hint">Both stay in the history.</p>
      </Stack>
    </Alert>
  );
}

function Version(props: { title: string; opinion: Opinion; turns: StoredTurn[] }) {
  const { title, opinion, turns } = props;
  const changed = turns.filter(({ number }) => opinion.edits[number] !== undefined);
  return (
    <div>
      <strong>
        {title}: {DECIDED[opinion.decision]}
      </strong>
      {opinion.reason && (
        <>
          , <Plain text={opinion.reason} />
        </>
      )}
      {opinion.note && (
        <p className="review-note" dir="auto">
          <Plain text={opinion.note} />
        </p>
      )}
      {changed.map(({ number, text }) => (
        <div key={number}>
          Turn {number + 1}
          <Changes before={text} after={opinion.edits[number] ?? text} />
        </div>
      ))}
    </div>
  );
}
