import { placesOfPurpose, TEMPLATE_PURPOSES } from '@tire/contracts/limits';
import { DEFAULT_TEMPLATES, faultsOf, rendered, type TemplateValues } from './message-template';

const VALUES = {
  name: '김민수',
  shop: '한빛 타이어',
  shop_phone: '02-123-4567',
  shop_address: '서울 강남구 테헤란로 1',
  shop_hours: '평일 09:00~19:00',
  plate: '12가 3456',
  link: 'https://share.example/r/token',
  stop: 'https://shop.example/s/token',
} satisfies TemplateValues;

const placesIn = (text: string) => new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));

describe('a text for customers', () => {
  it.each(TEMPLATE_PURPOSES.flatMap((purpose) => (['ko', 'en'] as const).map((language) => [purpose, language] as const)))(
    'has a default without faults (%s, %s), which names every placeholder; a text message leaves out where the shop is',
    (purpose, language) => {
      const template = DEFAULT_TEMPLATES[purpose][language];
      expect(faultsOf(template, purpose)).toEqual([]);
      const isShort = purpose.endsWith('_sms');
      const named = placesOfPurpose(purpose).filter((name) => !isShort || !['shop_address', 'shop_hours'].includes(name));
      expect(placesIn(template.subject + template.text)).toEqual(new Set(named));
      const { subject, text } = rendered(template, VALUES, language);
      for (const name of named) expect(text).toContain(VALUES[name]);
      expect(subject + text).not.toMatch(/[{}]/);
    },
  );

  it.each<[string, { subject?: string; text?: string }, [string, RegExp][]]>([
    ['unknown placeholder', { text: '{{link}} {{password}}' }, [['text', /password/]]],
    ['placeholder that is a property of objects', { text: '{{link}} {{constructor}}' }, [['text', /constructor/]]],
    ['open braces', { text: '{{link}} {{name' }, [['text', /not closed/]]],
    ['text without the link', { text: 'hello' }, [['text', /must have/]]],
    ['subject with the link', { subject: '{{link}}' }, [['subject', /must not/]]],
    ['subject of two lines', { subject: 'a\r\nBcc: b@c.example' }, [['subject', /one line/]]],
    ['mail without a subject', { subject: ' ' }, [['subject', /must not be empty/]]],
    ['control characters', { text: '{{link}}\u0007' }, [['text', /control/]]],
  ])('is refused: %s', (_, given, faults) => {
    const found = faultsOf({ subject: 's', text: '{{link}}', ...given }, 'report_email');
    expect(found.map(({ param }) => param)).toEqual(faults.map(([param]) => param));
    for (const [index, [, words]] of faults.entries()) expect(found[index]!.message).toMatch(words);
  });

  it('of a reminder has the link that stops it, and no other', () => {
    expect(faultsOf({ subject: 's', text: '{{link}}' }, 'reminder_email')).toMatchObject([{ param: 'text' }, { param: 'text' }]);
    expect(faultsOf({ subject: '', text: '{{stop}}' }, 'reminder_sms')).toEqual([]);
  });

  it('of a text message has no subject', () => {
    expect(faultsOf({ subject: 's', text: '{{link}}' }, 'report_sms')).toMatchObject([{ param: 'subject' }]);
    expect(faultsOf({ subject: '', text: '{{link}}' }, 'report_sms')).toEqual([]);
  });

  it('of a text message fits into one with the longest values too', () => {
    const faultsOfText = (text: string) => faultsOf({ subject: '', text }, 'reminder_sms');
    expect(faultsOfText(`${'가'.repeat(900)}{{stop}}`)).toEqual([]);
    expect(faultsOfText(`${'가'.repeat(901)}{{stop}}`)).toMatchObject([{ param: 'text', message: expect.stringContaining('2000 bytes') }]);
    expect(faultsOfText(`${'{{name}}'.repeat(16)}{{stop}}`)).toMatchObject([{ param: 'text' }]);
    expect(faultsOf({ subject: 's', text: `${'가'.repeat(901)}{{link}}` }, 'report_email')).toEqual([]);
  });

  it.each<[string, string, Partial<TemplateValues>, string]>([
    [
      'several lines of opening hours',
      'a\n{{shop_hours}}',
      { shop_hours: '평일 09:00~19:00\n토요일 09:00~15:00' },
      'a\n평일 09:00~19:00, 토요일 09:00~15:00',
    ],
    ['hours that are a link', '{{shop_hours}}', { shop_hours: 'https://evil.example/a' }, 'https evil·example/a'],
    ['a line that names only what is unknown', 'a\n{{shop_phone}} {{shop_address}}\nb', { shop_phone: null, shop_address: ' ' }, 'a\nb'],
    ['a line with a word beside what is unknown', 'a\nhours: {{shop_hours}}\nb', { shop_hours: null }, 'a\nhours: \nb'],
    ['a line that has a word for what is unknown', 'a\n{{plate}}\nb', { plate: null }, 'a\nyour vehicle\nb'],
    ['empty lines of the project', 'a\n\n\nb', {}, 'a\n\n\nb'],
  ])('is filled: %s', (_, text, over, expected) => {
    expect(rendered({ subject: '', text }, { ...VALUES, ...over }, 'en').text).toBe(expected);
  });

  it('takes a value as it is: one line, without a link, and braces in it are no placeholders', () => {
    const values = { ...VALUES, name: '{{link}}', shop: 'evil.example\r\nBcc: a@b.example', plate: null };
    const { subject, text } = rendered({ subject: '{{shop}} {{plate}}', text: '{{ name }} {{link}}' }, values, 'ko');
    expect(subject).toBe('evil·example Bcc: a@b·example 차량');
    expect(text).toBe('{{link}} https://share.example/r/token');
  });
});
