import { Anchor, AppShell, Breadcrumbs, Burger, Button, Group, Kbd, NavLink } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  Link,
  Outlet,
  type StaticDataRouteOption,
  useMatches,
  useNavigate,
} from "@tanstack/react-router";
import { Keyboard, Search } from "lucide-react";
import { useEffect } from "react";
import { line } from "../live/line";
import { ConnectionBadge } from "./ConnectionBadge";
import { useKey, useKeyboard } from "./keys";
import { openPalette, Palette } from "./Palette";
import { PLACES, type Place } from "./places";
import { Shortcuts } from "./Shortcuts";
import { ThemeMenu } from "./ThemeMenu";

/** What surrounds every page. */
export function Shell() {
  const [menu, { toggle, close: closeMenu }] = useDisclosure();
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure();
  useEffect(() => line.open(), []);
  useKeyboard();
  useKey("?", "What the keys do", openHelp);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 190, breakpoint: "sm", collapsed: { mobile: !menu } }}
      padding={{ base: "sm", sm: "lg" }}
    >
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" className="where">
            <Burger
              opened={menu}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={menu ? "Close the menu" : "Open the menu"}
            />
            <Link to="/runs" className="brand">
              <img src="/icon.svg" alt="" width={24} height={24} />
              convo
            </Link>
            <Trail />
          </Group>
          <Group gap={6} wrap="nowrap">
            <Button
              variant="default"
              size="compact-sm"
              onClick={openPalette}
              leftSection={<Search size={15} aria-hidden />}
              rightSection={<Kbd size="xs">Ctrl K</Kbd>}
              className="search-button"
              aria-label="Search"
            >
              Search
            </Button>
            <ConnectionBadge />
            <ThemeMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {PLACES.map((place) => (
          <PlaceLink key={place.to} place={place} onGo={closeMenu} />
        ))}
        <Button
          mt="auto"
          variant="subtle"
          color="gray"
          justify="flex-start"
          leftSection={<Keyboard size={16} aria-hidden />}
          onClick={openHelp}
        >
          Shortcuts
        </Button>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Palette />
      <Shortcuts opened={help} onClose={closeHelp} />
    </AppShell>
  );
}

function PlaceLink({ place, onGo }: { place: Place; onGo: () => void }) {
  const navigate = useNavigate();
  const matches = useMatches();
  const { to, name, keys, icon: Icon } = place;
  useKey(keys, `Go to ${name}`, () => void navigate({ to }));
  const active = matches.some(({ pathname }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <NavLink
      renderRoot={(props) => <Link to={to} {...props} />}
      active={active}
      aria-current={active ? "page" : undefined}
      label={name}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={onGo}
    />
  );
}

interface Crumb {
  name: string;
  pathname: string;
}

/** What one page adds to the trail: itself, and pages above it that are none of its routes. */
function trailOf(of: StaticDataRouteOption, params: Record<string, string>, own: string): Crumb[] {
  const above = of.above?.(params) ?? [];
  return [
    ...above.map(([name, pathname]) => ({ name, pathname })),
    ...(of.crumb ? [{ name: of.crumb(params), pathname: own }] : []),
  ];
}

/** Where one is: the pages above this one. */
function Trail() {
  const matches = useMatches();
  const crumbs = matches.flatMap(({ staticData, pathname, params }) =>
    trailOf(staticData, params as Record<string, string>, pathname),
  );
  return (
    <nav aria-label="Breadcrumb" className="trail">
      <Breadcrumbs>
        {crumbs.map(({ name, pathname }, at) =>
          at === crumbs.length - 1 ? (
            <span key={pathname} aria-current="page">
              {name}
            </span>
          ) : (
            <Anchor key={pathname} component={Link} to={pathname}>
              {name}
            </Anchor>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}
