/** Which page is at which address. Pages are loaded when they are gone to. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { isKind, WORDS } from "./catalog/kinds";
import {
  readImportSearch,
  readListSearch,
  readNewSearch,
  readObjectSearch,
  readVersionsSearch,
} from "./catalog/search";
import {
  readEditSearch as readEditConfigSearch,
  readNewSearch as readNewConfigSearch,
} from "./config/search";
import { readAlikeSearch } from "./corpus/alike";
import { readConversationSearch } from "./corpus/conversationSearch";
import { readCorpusSearch } from "./corpus/search";
import { readExportsSearch } from "./exports/search";
import { Loading } from "./parts/states";
import { readPreviewSearch } from "./preview/search";
import { readReplaySearch } from "./replay/search";
import { readReviewSearch } from "./review/search";
import { readRunsSearch } from "./runs/search";
import { parseSearch, stringifySearch } from "./search";
import { Broken, NotFound } from "./shell/Lost";
import { lazyPage } from "./shell/lazyPage";
import { Shell } from "./shell/Shell";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the breadcrumb calls the page. */
    crumb?: (params: Record<string, string>) => string;
    /** Name and address of pages above it that are none of its routes. */
    above?: (params: Record<string, string>) => (readonly [string, string])[];
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
  component: lazyPage(() => import("./runs/RunsPage"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => runs,
  path: "$run",
  staticData: { crumb: ({ run = "" }) => run },
  component: lazyPage(() => import("./run/RunPage"), "RunPage"),
});

const replay = createRoute({
  getParentRoute: () => runs,
  path: "$run/replay",
  staticData: {
    crumb: () => "Try other settings",
    above: ({ run = "" }) => [[run, `/runs/${run}`]],
  },
  validateSearch: readReplaySearch,
  component: lazyPage(() => import("./replay/ReplayPage"), "ReplayPage"),
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/review",
  staticData: { crumb: () => "Review" },
  validateSearch: readReviewSearch,
  component: lazyPage(() => import("./review/ReviewPage"), "ReviewPage"),
});

const exports = createRoute({
  getParentRoute: () => root,
  path: "/exports",
  staticData: { crumb: () => "Exports" },
  validateSearch: readExportsSearch,
  component: lazyPage(() => import("./exports/ExportsPage"), "ExportsPage"),
});

const imports = createRoute({
  getParentRoute: () => root,
  path: "/imports",
  staticData: { crumb: () => "Imports" },
});

const importsList = createRoute({
  getParentRoute: () => imports,
  path: "/",
  component: lazyPage(() => import("./imports/ImportsPage"), "ImportsPage"),
});

const importRead = createRoute({
  getParentRoute: () => imports,
  path: "$source",
  staticData: { crumb: ({ source = "" }) => source },
  component: lazyPage(() => import("./imports/ImportPage"), "ImportPage"),
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
  component: lazyPage(() => import("./corpus/CorpusPage"), "CorpusPage"),
});

const conversation = createRoute({
  getParentRoute: () => corpus,
  path: "$conversation",
  staticData: { crumb: ({ conversation = "" }) => conversation },
  validateSearch: readConversationSearch,
  component: lazyPage(() => import("./corpus/ConversationPage"), "ConversationPage"),
});

const alike = createRoute({
  getParentRoute: () => corpus,
  path: "$conversation/alike",
  staticData: {
    crumb: () => "Side by side",
    above: ({ conversation = "" }) => [[conversation, `/corpus/${conversation}`]],
  },
  validateSearch: readAlikeSearch,
  component: lazyPage(() => import("./corpus/AlikePage"), "AlikePage"),
});

const catalog = createRoute({
  getParentRoute: () => root,
  path: "/catalog",
  staticData: { crumb: () => "Catalog" },
});

const catalogHome = createRoute({
  getParentRoute: () => catalog,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/catalog/$kind", params: { kind: "prompt-sets" }, replace: true });
  },
});

const catalogImport = createRoute({
  getParentRoute: () => catalog,
  path: "import",
  staticData: { crumb: () => "Import" },
  validateSearch: readImportSearch,
  component: lazyPage(() => import("./catalog/transfer/ImportPage"), "ImportPage"),
});

const catalogKind = createRoute({
  getParentRoute: () => catalog,
  path: "$kind",
  staticData: { crumb: ({ kind = "" }) => (isKind(kind) ? WORDS[kind].many : kind) },
  beforeLoad: ({ params }) => {
    if (!isKind(params.kind)) throw notFound();
  },
  notFoundComponent: NotFound,
});

const catalogList = createRoute({
  getParentRoute: () => catalogKind,
  path: "/",
  validateSearch: readListSearch,
  component: lazyPage(() => import("./catalog/CatalogPage"), "CatalogPage"),
});

const catalogNew = createRoute({
  getParentRoute: () => catalogKind,
  path: "new",
  staticData: { crumb: () => "New" },
  validateSearch: readNewSearch,
  component: lazyPage(() => import("./catalog/editors/EditorPages"), "NewPage"),
});

const catalogObject = createRoute({
  getParentRoute: () => catalogKind,
  path: "$name",
  staticData: { crumb: ({ name = "" }) => name },
});

const catalogRead = createRoute({
  getParentRoute: () => catalogObject,
  path: "/",
  validateSearch: readObjectSearch,
  component: lazyPage(() => import("./catalog/ObjectPage"), "ObjectPage"),
});

const catalogEdit = createRoute({
  getParentRoute: () => catalogObject,
  path: "edit",
  staticData: { crumb: () => "Edit" },
  component: lazyPage(() => import("./catalog/editors/EditorPages"), "EditPage"),
});

const catalogVersions = createRoute({
  getParentRoute: () => catalogObject,
  path: "versions",
  staticData: { crumb: () => "Versions" },
  validateSearch: readVersionsSearch,
  component: lazyPage(() => import("./catalog/versions/VersionsPage"), "VersionsPage"),
});

const CONFIGS = ["Run configs", "/catalog/run-configs"] as const;

const configNew = createRoute({
  getParentRoute: () => catalog,
  path: "run-configs/new",
  staticData: { crumb: () => "New", above: () => [CONFIGS] },
  validateSearch: readNewConfigSearch,
  component: lazyPage(() => import("./config/ConfigPages"), "NewConfigPage"),
});

const configEdit = createRoute({
  getParentRoute: () => catalog,
  path: "run-configs/$name/edit",
  staticData: { crumb: () => "Edit", above: aboveConfig },
  validateSearch: readEditConfigSearch,
  component: lazyPage(() => import("./config/ConfigPages"), "EditConfigPage"),
});

const configPreview = createRoute({
  getParentRoute: () => catalog,
  path: "run-configs/$name/preview",
  staticData: { crumb: () => "Seed preview", above: aboveConfig },
  validateSearch: readPreviewSearch,
  component: lazyPage(() => import("./preview/PreviewPage"), "PreviewPage"),
});

function aboveConfig({ name = "" }: Record<string, string>) {
  return [CONFIGS, [name, `${CONFIGS[1]}/${name}`] as const];
}

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    runs.addChildren([runsList, run, replay]),
    corpus.addChildren([corpusList, conversation, alike]),
    imports.addChildren([importsList, importRead]),
    exports,
    review,
    catalog.addChildren([
      catalogHome,
      catalogImport,
      configNew,
      configEdit,
      configPreview,
      catalogKind.addChildren([
        catalogList,
        catalogNew,
        catalogObject.addChildren([catalogRead, catalogEdit, catalogVersions]),
      ]),
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultPreload: "intent",
  trailingSlash: "never",
});
