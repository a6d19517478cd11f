import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { type Alike, getAlike } from "../api";
import { CopyId } from "../parts/CopyId";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { AlikeSide, goTo } from "./AlikeSide";
import "./alike.css";
import { type AlikeSearch, pageWith } from "./alike";
import { cut } from "./marks";

const route = getRouteApi("/corpus/$conversation/alike");

/** A rejected conversation beside what it is too near to, with the words that both have. */
export function AlikePage() {
  const { conversation } = route.useParams();
  const search = route.useSearch();
  const { data, error, isPending, refetch } = useAlike(conversation, search);
  if (isPending) return <Loading what="both conversations" />;
  if (data === undefined) {
    return (
      <Stack>
        <PageTitle title="Side by side" />
        <Failed error={error} what="Side by side" onRetry={() => void refetch()} />
      </Stack>
    );
  }
  return <Shown of={data} />;
}

function useAlike(conversation: string, { reason, mine, theirs }: AlikeSearch) {
  return useQuery({
    queryKey: ["conversation", conversation, "alike", reason, mine, theirs],
    queryFn: async ({ signal }) => {
      const query = { reason, first: Number(mine ?? 0), other_first: Number(theirs ?? 0) };
      return (await getAlike({ path: { conversation }, query, signal, throwOnError: true })).data;
    },
    placeholderData: (before) => before,
    retry: false,
  });
}

function Shown({ of }: { of: Alike }) {
  const isExample = of.kind === "example";
  return (
    <Stack gap="md" className="alike-page">
      <PageTitle title={isExample ? "Copy of an example" : "Too near to another conversation"} />
      <div className="alike-facts">
        <CopyId id={of.conversation} what="conversation id" />
        <span>
          <strong>{of.reason}</strong>
        </span>
        <span>Similarity {of.similarity === null ? "unknown" : of.similarity.toFixed(3)}</span>
        <span>Limit {of.limit === null ? "unknown" : of.limit}</span>
        {of.detail && (
          <span>
            <Plain text={of.detail} />
          </span>
        )}
      </div>
      <Passages of={of} />
      <div className="alike-columns">
        <AlikeSide
          of={of}
          side="mine"
          title="This conversation"
          name={<ConversationLink id={of.conversation} />}
        />
        <AlikeSide
          of={of}
          side="theirs"
          title={isExample ? "The example" : "The other one"}
          name={<Neighbour of={of} />}
        />
      </div>
    </Stack>
  );
}

function ConversationLink({ id }: { id: string }) {
  return (
    <Link to="/corpus/$conversation" params={{ conversation: id }}>
      {id}
    </Link>
  );
}

function Neighbour({ of }: { of: Alike }) {
  if (of.kind === "example") {
    return (
      <>
        <strong>
          <Plain text={of.neighbour} />
        </strong>
        {of.prompt_set && (
          <>
            {" "}
            of the prompt set{" "}
            <Link to="/catalog/$kind/$name" params={{ kind: "prompt-sets", name: of.prompt_set }}>
              {of.prompt_set}
            </Link>
            , as the run froze it
          </>
        )}
      </>
    );
  }
  if (of.neighbour_run === null) return <strong>{of.neighbour}</strong>;
  return <ConversationLink id={of.neighbour} />;
}

/** What both have, weightiest first; each leads to its place in both. */
function Passages({ of }: { of: Alike }) {
  const navigate = route.useNavigate();
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (wanted.current !== undefined && goTo("mine", wanted.current)) wanted.current = undefined;
  });
  const show = (at: number) => {
    const overlap = of.overlaps[at];
    if (overlap === undefined || goTo("mine", at + 1)) return;
    wanted.current = at + 1;
    void navigate({ search: (before) => ({ ...before, ...pageWith(of, overlap) }), replace: true });
  };
  return (
    <Section title="In both">
      <p className="alike-legend">
        <mark>Marked</mark> words stand in both. <span className="alike-template">Dotted grey</span>{" "}
        words are the prompt's own and were not compared.
        {of.worked_out && " The places were worked out now; the verdict kept no more than one."}
      </p>
      {of.overlaps.length === 0 ? (
        <Text c="dimmed">No three words in a row are in the turns of both that could be read.</Text>
      ) : (
        <ol className="alike-passages">
          {of.overlaps.map((overlap, at) => (
            <li key={`${overlap.turn} ${overlap.start}`}>
              <button type="button" onClick={() => show(at)}>
                Turn {overlap.turn + 1} and turn {overlap.other_turn + 1}
              </button>{" "}
              <span dir="auto">
                <Plain text={wordsOf(of, at)} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const SHOWN = 160;

/** The words of a passage, where its turn is on the page. */
function wordsOf(of: Alike, at: number): string {
  const overlap = of.overlaps[at];
  const turn = of.mine.turns.find(({ number }) => number === overlap?.turn);
  if (overlap === undefined || turn === undefined) return "";
  const words = cut(turn.text, [overlap]).find(({ inside }) => inside.length > 0)?.text ?? "";
  const shown = [...words].slice(0, SHOWN).join("");
  return shown.length < words.length ? `${shown}…` : shown;
}
