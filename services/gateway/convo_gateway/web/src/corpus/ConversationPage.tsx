import { Button, Stack, Tabs } from "@mantine/core";
import { getRouteApi, Link, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { type Conversation, isGone } from "../api";
import { plural } from "../format";
import { CopyId } from "../parts/CopyId";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { useKey } from "../shell/keys";
import { PageTitle } from "../shell/PageTitle";
import { Calls } from "./Calls";
import "../run/run.css";
import "./conversation.css";
import { type ConversationSearch, listOf, type Tab } from "./conversationSearch";
import { History } from "./History";
import { hasMemory, Memory } from "./Memory";
import { allHits } from "./marks";
import { Origin } from "./Origin";
import { Prompts } from "./Prompts";
import { RawJson } from "./RawJson";
import { asGenerated, RawText } from "./RawText";
import { Turns } from "./Turns";
import { useBesideOf, useConversation } from "./useConversation";
import { Verdicts } from "./Verdicts";

const route = getRouteApi("/corpus/$conversation");

/** One conversation: what was said, the verdict, and how it came about. */
export function ConversationPage() {
  const { conversation: id } = route.useParams();
  const search = route.useSearch();
  const { data, error, isPending, refetch } = useConversation(id);
  if (isPending) return <Loading what="the conversation" />;
  if (data === undefined || isGone(error)) {
    return (
      <Stack>
        <PageTitle title="Conversation" />
        <Failed error={error} what={`Conversation ${id}`} onRetry={() => void refetch()} />
      </Stack>
    );
  }
  return <Shown key={id} of={data} search={search} />;
}

function Shown({ of, search }: { of: Conversation; search: ConversationSearch }) {
  const chosen = useChosenTurn(search);
  const isGenerated = search.text === "generated" && of.roughened > 0;
  const turns = useMemo(
    () => (isGenerated ? asGenerated(of.messages) : of.messages),
    [of.messages, isGenerated],
  );
  const hits = useMemo(() => {
    const found = allHits(of.hit, of.also);
    // Hits are places in the text as typed.
    const changed = new Set(of.messages.filter(({ raw }) => raw !== null).map((t) => t.number));
    return isGenerated ? found.filter(({ turn }) => !changed.has(turn ?? -1)) : found;
  }, [of, isGenerated]);
  return (
    <Stack gap="md" className="conversation-page">
      <PageTitle title={titleOf(of)} beside={<StatusBadge status={of.status} />}>
        <Beside of={of} search={search} />
      </PageTitle>
      <Facts of={of} />
      {of.origin && <Origin of={of.origin} />}
      <Reason of={of} />
      <RawText of={of} isGenerated={isGenerated} />
      <div className="conversation-columns">
        <Turns turns={turns} hits={hits} chosen={chosen} />
        <Parts of={of} tab={search.tab ?? "verdicts"} />
      </div>
    </Stack>
  );
}

/** What it is of, each with the way to the others of it. */
function Facts({ of }: { of: Conversation }) {
  const { id, run, config, config_version, persona, voice, language, review, edited } = of;
  return (
    <div className="conversation-facts">
      <CopyId id={id} what="conversation id" />
      <span>
        Run{" "}
        <Link to="/runs/$run" params={{ run }}>
          {run}
        </Link>
      </span>
      <span>
        Config{" "}
        <Link to="/corpus" search={{ config: [config] }}>
          {config}
        </Link>{" "}
        v{config_version}, {of.mode}
        {language && `, ${language}`}
      </span>
      <span>
        <Link to="/corpus" search={{ persona: [persona] }}>
          {persona}
        </Link>
        ,{" "}
        <Link to="/corpus" search={{ voice: [voice] }}>
          {voice}
        </Link>
      </span>
      <span>
        {plural(of.turns, "turn")}
        {of.planned_turns > 0 && ` of ${of.planned_turns} planned`}, {plural(of.words, "word")}
      </span>
      <span>
        {of.origin ? "Read" : "Made"} <When at={of.created_at} />
      </span>
      <span>
        <Link to="/review" search={{ run: [run], at: id }}>
          {review ? `Reviewed: ${review}` : "Not reviewed"}
        </Link>
        {edited && ", edited"}
      </span>
    </div>
  );
}

/** Number of the turn that the address names, as `#turn-12` or as `?turn=12`. */
function useChosenTurn({ turn }: ConversationSearch): number | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const named = /^turn-(\d{1,6})$/.exec(hash)?.[1] ?? turn;
  return named === undefined ? undefined : Number(named);
}

function titleOf(of: Conversation): string {
  return `Conversation ${of.thread}.${of.number}`;
}

function Reason({ of }: { of: Conversation }) {
  if (!of.reason) return null;
  const turn = of.hit?.turn;
  return (
    <p className="recorded-reason" data-status={of.status}>
      <strong>{of.reason}</strong>
      {of.detail && (
        <span>
          <Plain text={of.detail} />
        </span>
      )}
      {typeof turn === "number" && (
        <Link to="." search={(before) => ({ ...before, turn: String(turn) })}>
          Go to turn {turn + 1}
        </Link>
      )}
    </p>
  );
}

function Parts({ of, tab }: { of: Conversation; tab: Tab }) {
  const navigate = useNavigate({ from: "/corpus/$conversation" });
  const remembers = hasMemory(of);
  const show = (chosen: string | null) =>
    void navigate({
      search: (before) => ({
        ...before,
        tab: chosen === "verdicts" ? undefined : (chosen as Tab),
      }),
      replace: true,
    });
  return (
    <Tabs
      value={tab === "memory" && !remembers ? "verdicts" : tab}
      onChange={show}
      keepMounted={false}
      className="conversation-parts"
    >
      <Tabs.List>
        <Tabs.Tab value="verdicts">Verdicts</Tabs.Tab>
        <Tabs.Tab value="prompts">Prompts</Tabs.Tab>
        {remembers && <Tabs.Tab value="memory">Memory</Tabs.Tab>}
        <Tabs.Tab value="calls">Calls</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="verdicts">
        <Verdicts of={of} />
      </Tabs.Panel>
      <Tabs.Panel value="prompts">
        <Prompts id={of.id} />
      </Tabs.Panel>
      {remembers && (
        <Tabs.Panel value="memory">
          <Memory of={of} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="calls">
        <Calls of={of} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <History id={of.id} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <RawJson of={of} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The neighbours in the list that one came from; without one, in the conversation's own run. */
function Beside({ of, search }: { of: Conversation; search: ConversationSearch }) {
  const list = listOf(search);
  const asked = Object.values(list).some(Boolean) ? list : { run: [of.run] };
  const { data } = useBesideOf(of.id, asked);
  const navigate = useNavigate();
  const go = (conversation: string | null | undefined) => {
    if (conversation) {
      const { tab } = search;
      const kept = { ...asked, tab };
      void navigate({ to: "/corpus/$conversation", params: { conversation }, search: kept });
    }
  };
  useKey("[", "Conversation before this one in the list", () => go(data?.previous));
  useKey("]", "Conversation after this one in the list", () => go(data?.next));
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        renderRoot={(props) => <Link to="/corpus" search={asked} {...props} />}
      >
        List
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<ChevronLeft size={16} aria-hidden />}
        aria-disabled={!data?.previous}
        data-disabled={!data?.previous || undefined}
        onClick={() => go(data?.previous)}
      >
        Previous
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<ChevronRight size={16} aria-hidden />}
        aria-disabled={!data?.next}
        data-disabled={!data?.next || undefined}
        onClick={() => go(data?.next)}
      >
        Next
      </Button>
    </>
  );
}
