import { Anchor, Text } from '@mantine/core';
import { useTexts } from '../i18n/language';
import { Section } from '../ui/page';
import { Secret } from '../ui/secret';

/** Ready to paste, with the key just issued as long as this page stays open: it is kept nowhere else. */
export function QuickStart({ keyValue }: { keyValue: string | null }) {
  const t = useTexts();
  const base = `${location.origin}/api/v1`;
  const authorization = `-H "Authorization: Bearer ${keyValue ?? '$KEY'}"`;
  const create = `curl -s -X POST ${base}/reports ${authorization} -H 'Content-Type: application/json' -d '{"template":"tire_4t_0s"}'`;
  const read = `curl -s ${base}/reports/$REPORT_ID ${authorization}`;
  return (
    <Section title={t.quickStart.title} text={t.quickStart.text}>
      <ol className="steps">
        <li>
          <Text size="sm" fw={600} mb={4}>
            1. {t.quickStart.create}
          </Text>
          <Secret label={t.quickStart.create} value={create} />
        </li>
        <li>
          <Text size="sm">{t.quickStart.list}</Text>
        </li>
        <li>
          <Text size="sm" fw={600} mb={4}>
            2. {t.quickStart.read}
          </Text>
          <Secret label={t.quickStart.read} value={read} />
        </li>
      </ol>
      <Anchor href="/docs" size="sm" mt="md" display="inline-block">
        {t.quickStart.more}
      </Anchor>
    </Section>
  );
}
