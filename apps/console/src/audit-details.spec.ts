import { en } from '../web/i18n/en';
import { ko } from '../web/i18n/ko';
import { detailTexts } from '../web/pages/audit-details';

describe('the details of an audit entry', () => {
  it.each([
    [
      'member.role_changed',
      { from: 'support', to: 'developer' },
      ['이전: 고객 지원', '이후: 개발자'],
      ['Before: Support', 'Now: Developer'],
    ],
    // A name is shown unchanged, even if it equals an enum value.
    ['project.renamed', { from: 'support', to: 'Shop' }, ['이전: support', '이후: Shop'], ['Before: support', 'Now: Shop']],
    ['report.created', { mode: 'manual' }, ['종류: 직접 입력'], ['Kind: By hand']],
    ['project.created', { name: 'Shop', mode: 'live' }, ['이름: Shop', '종류: 실제'], ['Name: Shop', 'Kind: Live']],
    ['report.sent', { channel: 'sms', language: 'ko' }, ['보낸 방법: 문자', '언어: 한국어'], ['By: Text message', 'Language: 한국어']],
    ['message_template.changed', { purpose: 'report_sms' }, ['메시지: 보고서 문자'], ['Message: text message with a report']],
    ['session.started', { with: 'recovery_code' }, ['방법: 복구 코드'], ['With: recovery code']],
    [
      'session.started',
      { with: 'openid', then: 'code' },
      ['방법: OpenID Connect', '이어서: 일회용 코드'],
      ['With: OpenID Connect', 'And then with: one-time code'],
    ],
    ['webhook_secret.rotated', { overlap_hours: '24' }, ['이전 키 유지: 하루'], ['Old secret still used: One day']],
    ['webhook_secret.rotated', { overlap_hours: '7' }, ['이전 키 유지: 7'], ['Old secret still used: 7']],
    ['key.issued', { name: 'a\u202eb' }, ['이름: a⟨202E⟩b'], ['Name: a⟨202E⟩b']],
    ['partner.changed', { address: 'A', opening_hours: 'B' }, ['주소: A', '영업시간: B'], ['Address: A', 'Opening hours: B']],
    [
      'project.rule_changed',
      { rule: 'size_guesses', from: 'usual', to: 'off' },
      ['규칙: 규격 확인 질문', '이전: 기본값', '이후: 끔'],
      ['Rule: Questions about sizes', 'Before: Default', 'Now: Off'],
    ],
    ['key.issued', { later: 'added' }, ['later: added'], ['later: added']],
  ] as const)('%s %j', (action, details, korean, english) => {
    expect(detailTexts({ action, details: { ...details } as Record<string, string> }, ko)).toEqual(korean);
    expect(detailTexts({ action, details: { ...details } as Record<string, string> }, en)).toEqual(english);
  });
});
