import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Section } from '../../ui/page';
import { Secret } from '../../ui/secret';
import { CreateKey } from '../create-key';
import { firstReport } from './commands';

/** Ready to paste, with the key that was just issued. */
export function QuickStart() {
  const t = useTexts();
  const { place, project, issuedKey, keepIssuedKey } = useProject();
  const [creating, setCreating] = useState(false);
  const mayIssue = place.can('keys.manage');
  const canFill = mayIssue && project.mode === 'test';
  const missing = canFill ? t.quickStart.keyMissing : mayIssue ? t.quickStart.keyMissingOfLive : t.quickStart.keyMissingForDevelopers;
  const commands = firstReport(location.origin, issuedKey?.value ?? `svc_${project.mode}_…`);
  return (
    <Section title={t.quickStart.title} text={t.quickStart.text}>
      {project.mode === 'live' && (
        <Alert color="red" variant="light" mb="md">
          {t.quickStart.live}
        </Alert>
      )}
      <div className="filled-in">
        <Text size="sm">{issuedKey ? t.quickStart.keyFilled(visibleText(issuedKey.key.name)) : missing}</Text>
        {issuedKey && (
          <Button size="xs" variant="default" onClick={() => keepIssuedKey(null)}>
            {t.quickStart.forget}
          </Button>
        )}
        {mayIssue && (
          <Button size="xs" variant={issuedKey ? 'default' : 'filled'} onClick={() => setCreating(true)}>
            {t.keys.create}
          </Button>
        )}
      </div>
      <ol className="steps">
        {commands.map(([step, text], index) => (
          <li key={step}>
            <Text size="sm" fw={600} mb={4}>
              {index + 1}. {t.quickStart.steps[step]}
            </Text>
            <Secret label={t.quickStart.steps[step]} value={text} lines />
          </li>
        ))}
      </ol>
      {creating && <CreateKey onClose={() => setCreating(false)} />}
    </Section>
  );
}
