import { Tabs } from '@mantine/core';
import { useTexts } from '../../i18n/language';
import { Section } from '../../ui/page';
import { Secret } from '../../ui/secret';
import { SIGNATURE_SAMPLES } from './signature-samples';

const LANGUAGES = Object.entries(SIGNATURE_SAMPLES);

export function Signatures() {
  const t = useTexts();
  return (
    <Section title={t.signatures.title} text={t.signatures.text}>
      <Tabs defaultValue={LANGUAGES[0]![0]} keepMounted={false}>
        <Tabs.List aria-label={t.signatures.languages} mb="sm">
          {LANGUAGES.map(([language]) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map(([language, sample]) => (
          <Tabs.Panel key={language} value={language}>
            <Secret label={t.signatures.sample(language)} value={sample} lines />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
