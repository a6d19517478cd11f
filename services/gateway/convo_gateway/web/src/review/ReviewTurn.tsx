/** One turn under review: as it reads, what was changed, and a field to change it. */
import { Button, Group, Paper, Textarea } from "@mantine/core";
import { Bot, Pencil, Undo2, User } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Hit, StoredTurn } from "../api";
import { marked } from "../corpus/marks";
import { Plain } from "../parts/Plain";
import { Changes } from "./Changes";

interface Props {
  turn: StoredTurn;
  /** Its text after edits; undefined where it reads as it was made. */
  edit: string | undefined;
  hits: Hit[];
  isEditing: boolean;
  onEdit: (open: boolean) => void;
  onText: (text: string) => void;
}

export function ReviewTurn({ turn, edit, hits, isEditing, onEdit, onText }: Props) {
  const Icon = turn.role === "user" ? User : Bot;
  const name = `Turn ${turn.number + 1}`;
  return (
    <Paper component="li" withBorder p="sm" className="review-turn" data-role={turn.role}>
      <div className="turn-head">
        <span className="turn-role">
          <Icon size={15} aria-hidden />
          {turn.role}
        </span>
        <span className="turn-number">{turn.number + 1}</span>
        {edit !== undefined && <span className="review-edited">edited</span>}
        {!isEditing && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Pencil size={13} aria-hidden />}
            onClick={() => onEdit(true)}
            aria-label={`Edit turn ${turn.number + 1}`}
          >
            Edit
          </Button>
        )}
      </div>
      {isEditing ? (
        <Editor name={name} text={edit ?? turn.text} onDone={onEdit} onText={onText} />
      ) : (
        <div className="turn-text" dir="auto">
          {edit === undefined ? <Said text={turn.text} hits={hits} /> : <Plain text={edit} />}
        </div>
      )}
      {edit !== undefined && !isEditing && (
        <details className="review-changes" open>
          <summary>What was changed</summary>
          <Changes before={turn.text} after={edit} />
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Undo2 size={13} aria-hidden />}
            onClick={() => onText(turn.text)}
          >
            Back to the original
          </Button>
        </details>
      )}
    </Paper>
  );
}

function Said({ text, hits }: { text: string; hits: Hit[] }) {
  if (text === "") return <em>empty</em>;
  return marked(text, hits).map(({ text: words, reasons }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text have no other name
    <Words key={at} text={words} isMarked={reasons.length > 0} />
  ));
}

function Words({ text, isMarked }: { text: string; isMarked: boolean }) {
  const words = <Plain text={text} />;
  return isMarked ? <mark>{words}</mark> : words;
}

function Editor(props: {
  name: string;
  text: string;
  onDone: (open: boolean) => void;
  onText: (text: string) => void;
}) {
  const { name, onDone, onText } = props;
  const [text, setText] = useState(props.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const take = () => {
    onText(text);
    onDone(false);
  };
  return (
    <div>
      <Textarea
        ref={field}
        aria-label={`${name}, text`}
        dir="auto"
        autosize
        minRows={2}
        maxRows={24}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone(false);
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take();
        }}
      />
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" onClick={take}>
          Take this text
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onDone(false)}>
          Leave it
        </Button>
        <span className="review-hint">Ctrl Enter takes it, Escape leaves it</span>
      </Group>
    </div>
  );
}
