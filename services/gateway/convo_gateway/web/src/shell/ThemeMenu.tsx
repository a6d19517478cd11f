import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { Monitor, Moon, Sun } from "lucide-react";

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
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {THEMES.map(([scheme, word, Icon]) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              rightSection={<Icon size={16} aria-hidden />}
            >
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
