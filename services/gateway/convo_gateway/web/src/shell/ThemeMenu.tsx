import { Button, Menu, useMantineColorScheme } from "@mantine/core";
import { Check, Monitor, Moon, Sun } from "lucide-react";

const THEMES = [
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
  ["auto", "System", Monitor],
] as const;

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Chosen = THEMES.find(([scheme]) => scheme === colorScheme)?.[2] ?? Monitor;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<Chosen size={16} />}>
          Theme
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {THEMES.map(([scheme, word, Icon]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={scheme === colorScheme && <Check size={14} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
          >
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
