import { Anchor, Code } from '@mantine/core';
import { useOperations } from '../../api/openapi';
import { useTexts } from '../../i18n/language';
import { Loaded, Row, Rows } from '../../ui/listing';
import { Section } from '../../ui/page';

export function Interface() {
  const t = useTexts();
  const query = useOperations();
  const more = (
    <>
      <Anchor href="/docs" size="sm">
        {t.interface.page}
      </Anchor>
      <Anchor href="/api/v1/openapi.json" size="sm">
        openapi.json
      </Anchor>
    </>
  );
  return (
    <Section title={t.interface.title} text={t.interface.text} actions={more}>
      <Loaded query={query}>
        {(operations) => (
          <Rows label={t.interface.title}>
            {operations.map(({ operationId, method, path, summary }) => (
              <Row key={operationId}>
                <div className="row-name">
                  <Anchor href={`/docs/reference#${operationId}`}>
                    <Code>{method}</Code> {path}
                  </Anchor>
                </div>
                <div className="facts" lang="en">
                  {summary}
                </div>
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}
