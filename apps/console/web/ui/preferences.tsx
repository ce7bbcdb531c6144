import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { LANGUAGES, useLanguage, useTexts, type Language } from '../i18n/language';

export function Preferences() {
  const t = useTexts();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="preferences">
      <NativeSelect
        size="xs"
        aria-label={`${t.language.label} / Language`}
        value={language}
        onChange={(event) => choose(event.currentTarget.value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t.theme.label}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t.theme[value] }))}
      />
    </div>
  );
}
