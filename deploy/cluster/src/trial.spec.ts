import { merged, notes, REQUIRED } from '@tire/chart';
import { commandsOf } from './trial';

it('gives each command of the notes the ids of those before it', async () => {
  const text = await notes(merged(REQUIRED, { environment: 'trial' }));
  expect(commandsOf(text).split('\n')).toEqual([
    'kubectl -n tire rollout status deployment -l app.kubernetes.io/instance=tire --timeout=5m',
    expect.stringMatching(/^admin\(\) \{ kubectl -n tire exec -i deploy\/tire-tire-inspection-gateway -- node .* "\$@"; \}$/),
    'ORGANIZATION_ID=$(admin create-organization --name Example --json | jq -r .id)',
    'PROJECT_ID=$(admin create-project --organization "$ORGANIZATION_ID" --mode test --name Test --json | jq -r .id)',
    `KEY=$(admin create-key --project "$PROJECT_ID" --scopes 'report:*' --name first --json | jq -r .key)`,
    'kubectl -n tire create secret generic tire-tire-inspection-test --from-literal=api-key="$KEY"',
    'helm -n tire test tire --logs',
  ]);
});
