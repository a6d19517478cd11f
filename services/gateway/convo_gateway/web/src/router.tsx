/** Which page is at which address. Pages are loaded when they are gone to. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { readConversationSearch } from "./corpus/conversationSearch";
import { readCorpusSearch } from "./corpus/search";
import { Loading } from "./parts/states";
import { readRunsSearch } from "./runs/search";
import { parseSearch, stringifySearch } from "./search";
import { Broken, NotFound } from "./shell/Lost";
import { Shell } from "./shell/Shell";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the breadcrumb calls the page. */
    crumb?: (params: Record<string, string>) => string;
  }
  interface Register {
    router: typeof router;
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/runs", replace: true });
  },
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  staticData: { crumb: () => "Runs" },
});

const runsList = createRoute({
  getParentRoute: () => runs,
  path: "/",
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import("./runs/RunsPage"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => runs,
  path: "$run",
  staticData: { crumb: ({ run = "" }) => run },
  component: lazyRouteComponent(() => import("./run/RunPage"), "RunPage"),
});

const corpus = createRoute({
  getParentRoute: () => root,
  path: "/corpus",
  staticData: { crumb: () => "Corpus" },
});

const corpusList = createRoute({
  getParentRoute: () => corpus,
  path: "/",
  validateSearch: readCorpusSearch,
  component: lazyRouteComponent(() => import("./corpus/CorpusPage"), "CorpusPage"),
});

const conversation = createRoute({
  getParentRoute: () => corpus,
  path: "$conversation",
  staticData: { crumb: ({ conversation = "" }) => conversation },
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(() => import("./corpus/ConversationPage"), "ConversationPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    runs.addChildren([runsList, run]),
    corpus.addChildren([corpusList, conversation]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultPreload: "intent",
  trailingSlash: "never",
});
