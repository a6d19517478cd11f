import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorScheme,
  Notification,
} from "@mantine/core";

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, Cantarell, 'Noto Sans', sans-serif",
  headings: { fontWeight: "650" },
  components: {
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Close" } },
    }),
  },
});

/** What the gateway says (`CONVO_UI_THEME`) to those who have not chosen a theme. */
export function themeOfGateway(root: HTMLElement): MantineColorScheme {
  const { theme: told } = root.dataset;
  return told === "light" || told === "dark" ? told : "auto";
}

/** Mantine's own greys and reds are too pale for WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#565d64",
    "--mantine-color-error": "#a61e1e",
    "--mantine-color-placeholder": "#646b72",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b0b7",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-placeholder": "#9aa1a8",
  },
});
