import { becomes, describeWithBrowser } from '@tire/test-harness';
import { type SlotId, slotId } from '@tire/kernel';
import sharp from 'sharp';
import { AROUND, nameOf, phones } from './testing/phone.fixture';
import { eightPhotos } from './testing/photos.fixture';

const FIRST = AROUND[0]!;
/** Any two sidewalls. */
const FOUR_AND_TWO = { template: { key: 'tire_4t_2s', minimum_success_count: { tread: 4, sidewall: 2 } } } as const;
const FIRST_ID: SlotId = 'tire.tread.front_left';

const ASKING = { name: 'Hana Motors', phone_number: '02-123-4567', logo_url: null };

/** The browser of these tests has no camera. */
describeWithBrowser('the page with the file picker', () => {
  const { serve, phoneAt } = phones();

  it('asks before it is closed while a photograph is prepared, and not when it is kept', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.heading(nameOf(FIRST)).waitFor();
    // The test ends the preparation of the photograph.
    await phone.tab.evaluate(`(() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      const waiting = [];
      HTMLCanvasElement.prototype.toBlob = function (...of) { waiting.push(() => toBlob.apply(this, of)); };
      window.goOn = () => { HTMLCanvasElement.prototype.toBlob = toBlob; waiting.forEach((each) => each()); };
      window.isAsked = () => waiting.length > 0;
    })()`);
    const asks = () => phone.tab.evaluate<boolean>(`!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
    expect(await asks()).toBe(false);
    const [photo] = await eightPhotos();
    await phone.give(photo!);
    await becomes(() => phone.tab.evaluate<boolean>('window.isAsked()'), true);
    expect(await asks()).toBe(true);
    await phone.tab.evaluate('window.goOn()');
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    await becomes(asks, false);
  });

  it('says where the shop is and when it is open, in both languages, at the beginning and at the end', async () => {
    const hours = 'Mon-Fri 9:00-19:00\nSat 9:00-15:00';
    const place = { address: '1 Teheran-ro, Gangnam-gu, Seoul', opening_hours: hours };
    const server = await serve({ session: { partner: { ...ASKING, ...place } } });
    const phone = await phoneAt(server);
    const shown = async () => (await phone.tab.locator('.place').innerText()).split('\n').filter(Boolean);
    const lines = (address: string, open: string) => [address, place.address, open, ...hours.split('\n')];
    await phone.heading('Hana Motors asks for photos of your tires').waitFor();
    for (const [language, expected] of [
      ['en', lines('Address', 'Opening hours')],
      ['ko', lines('주소', '영업시간')],
    ] as const) {
      await becomes(shown, expected);
      for (const width of [390, 1280]) expect(await phone.checkState(`place-${language}-${width}`, { width, height: 900 })).toEqual([]);
      if (language === 'en') await phone.tap('한국어');
    }
    // What the phone keeps has no place, as before there was one.
    server.report.session = { ...server.report.session, partner: { ...ASKING, address: null, opening_hours: null } };
    await phone.tab.reload();
    await phone.tab.getByRole('heading', { level: 1 }).waitFor();
    expect(await phone.tab.locator('.place').count()).toBe(0);
    server.report.session = { ...server.report.session, partner: { ...ASKING, ...place }, state: 'ended', ended_reason: 'expired' };
    await phone.tab.reload();
    await becomes(async () => (await shown()).length, 5);
  });

  it('eight photographs, one of them bad and taken again, until the end', async () => {
    const server = await serve({
      resultOf: (id, attempt) =>
        id === FIRST_ID && attempt === 1 ? { status: 'failed', code: 'tread_not_found', retake: ['not_a_tread'] } : { status: 'success' },
      session: { return_url: 'https://partner.example/cars?car=7' },
    });
    const photos = await eightPhotos();
    const phone = await phoneAt(server);
    await phone.heading('Hana Motors asks for photos of your tires').waitFor();
    expect(await phone.checkState('welcome')).toEqual([]);
    await phone.tap('I agree, start');
    for (const [i, slot] of AROUND.entries()) {
      await phone.heading(nameOf(slot)).waitFor();
      if (i < 2) expect(await phone.checkState(`slot-${slot.image_type}`)).toEqual([]);
      await phone.give(photos[i]!);
    }
    await phone.heading('Around the car').waitFor();
    const answer = phone.tab.getByRole('listitem').filter({ hasText: nameOf(FIRST) });
    await answer.getByText('No tread is to be seen.').waitFor();
    await becomes(
      async () => Promise.all(AROUND.slice(1).map((slot) => phone.stateOf(slot))),
      AROUND.slice(1).map(() => 'good'),
    );
    expect(await phone.checkState('answer-again')).toEqual([]);

    await answer.getByRole('button', { name: 'Take again' }).click();
    await phone.heading(nameOf(FIRST)).waitFor();
    await phone.give(await sharp(photos[0]).flop().toBuffer());
    await becomes(() => phone.stateOf(FIRST), 'good');
    expect(await phone.checkState('all-good')).toEqual([]);
    await phone.tap('Check and finish');
    await phone.tab.getByText('All that is needed is there.').waitFor();
    expect(await phone.checkState('summary')).toEqual([]);
    await phone.tap('Finish');
    await phone.heading('Thank you, that is all').waitFor();
    expect(await phone.checkState('done')).toEqual([]);
    const back = await phone.tab.getByRole('link', { name: 'Back to Hana Motors' }).getAttribute('href');
    expect(back).toBe(`https://partner.example/cars?car=7&report_id=${server.report.session.report_id}&status=finished`);

    expect(server.report.applied.map(({ slotId }) => slotId)).toEqual([
      ...new Set(server.report.applied.map(({ slotId }) => slotId)),
      FIRST_ID,
    ]);
    expect(server.report.applied).toHaveLength(9);
    const image = sharp(server.report.imageOf(FIRST_ID));
    expect(await image.metadata()).toMatchObject({ format: 'jpeg', width: 960, height: 720 });
  });

  it('four treads and two sidewalls are enough where the template says so', async () => {
    const server = await serve({ session: FOUR_AND_TWO });
    const photos = await eightPhotos();
    const phone = await phoneAt(server);
    await phone.tab.getByText('take 6 photos').waitFor();
    await phone.tap('I agree, start');
    const needed = AROUND.filter(({ image_type, position }) => image_type === 'tread' || position.endsWith('left'));
    for (const [i, slot] of needed.entries()) {
      await phone.heading(nameOf(slot)).waitFor();
      await phone.give(photos[i]!);
    }
    await phone.tab.getByText('6 of 6 photos taken').waitFor();
    await becomes(
      () => Promise.all(AROUND.map((slot) => phone.stateOf(slot))),
      AROUND.map((slot) => (needed.includes(slot) ? 'good' : 'if you like')),
    );
    await phone.tap('Check and finish');
    await phone.tap('Finish');
    await phone.heading('Thank you, that is all').waitFor();
    expect(server.report.applied).toHaveLength(6);
  });

  it('a photograph that is taken again replaces one that was measured', async () => {
    const server = await serve({ resultOf: () => ({ status: 'success', retake: ['blurred'] }) });
    const [one, two] = await eightPhotos();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.give(one!);
    await phone.tap('Back');
    await becomes(() => phone.stateOf(FIRST), 'better again');
    await phone.tab.getByRole('listitem').getByText('The photo is blurred.').waitFor();
    expect(await phone.checkState('answer-better')).toEqual([]);
    await phone.tap('Take again');
    await phone.give(two!);
    await becomes(() => server.report.applied.length, 2);
    expect(server.report.applied[1]).toMatchObject({ slotId: FIRST_ID, replaced: true });
  });

  it('the same photograph for two tires is questioned', async () => {
    const server = await serve();
    const [one] = await eightPhotos();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.give(one!);
    await phone.heading('Front left · Sidewall').waitFor();
    await phone.give(await sharp(one).resize(500).jpeg({ quality: 60 }).toBuffer());
    await phone.tab.getByText('This looks like your photo of Front left · Tread.').waitFor();
    expect(await phone.checkState('same-photo')).toEqual([]);
    await phone.tap('Take another one');
    await phone.heading('Front left · Sidewall').waitFor();
    await phone.give(one!);
    await phone.tap('Use it anyway');
    await becomes(() => server.report.applied.length, 2);
  });

  it('who leaves a slot while its photograph is prepared is not led on, and is asked at that slot if it is doubted', async () => {
    const server = await serve();
    const [one] = await eightPhotos();
    const phone = await phoneAt(server);
    await phone.tab.evaluate(`{
      const { decode } = HTMLImageElement.prototype;
      window.hold = () => (window.held = new Promise((resolve) => (window.release = resolve)));
      HTMLImageElement.prototype.decode = async function () {
        await window.held;
        return decode.call(this);
      };
    }`);
    await phone.tab.evaluate('void window.hold()');
    await phone.tap('I agree, start');
    await phone.give(one!);
    await phone.tap('Back');
    await phone.tab.evaluate('window.release()');
    await becomes(() => phone.stateOf(FIRST), 'good');

    await phone.tab.evaluate('void window.hold()');
    await phone.tab.getByRole('button', { name: 'Front left Sidewall' }).click();
    await phone.give(one!);
    await phone.tap('Back');
    await phone.tab.getByRole('button', { name: 'Rear left Tread' }).click();
    await phone.heading('Rear left · Tread').waitFor();
    await phone.tab.evaluate('window.release()');
    await phone.heading('Front left · Sidewall').waitFor();
    await phone.tab.getByText('This looks like your photo of Front left · Tread.').waitFor();
    await phone.tap('Use it anyway');
    await phone.heading('Rear left · Tread').waitFor();
    await becomes(() => server.report.applied.map(({ slotId: id }) => id), AROUND.slice(0, 2).map(slotId));
  });

  it('a sidewall that the template does not need can be left out, a tread cannot', async () => {
    const server = await serve({ session: FOUR_AND_TWO });
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.heading('Front left · Tread').waitFor();
    expect(await phone.tab.getByRole('button', { name: 'Leave this one out' }).count()).toBe(0);
    for (const name of ['Front left', 'Rear left']) {
      await phone.tap('Back');
      await phone.tab.getByRole('button', { name: `${name} Sidewall` }).click();
      await phone.tap('Leave this one out');
    }
    await phone.tap('Back');
    await phone.tab.getByRole('button', { name: 'Rear right Sidewall' }).click();
    await phone.heading('Rear right · Sidewall').waitFor();
    expect(await phone.tab.getByRole('button', { name: 'Leave this one out' }).count()).toBe(0);
  });

  it('a page that may not use the camera says so and opens the one of the phone', async () => {
    const server = await serve();
    const [one] = await eightPhotos();
    const phone = await phoneAt(server);
    // The browser of the tests would wait for an answer to its question.
    await phone.tab.evaluate(`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No', 'NotAllowedError'))`);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await phone.tab.getByText('The page may not use the camera.').waitFor();
    expect(await phone.checkState('camera-refused')).toEqual([]);
    expect(await phone.tab.locator('input[data-file="camera"]').getAttribute('capture')).toBe('environment');
    await phone.give(one!, 'camera');
    await becomes(() => server.report.applied.length, 1);
  });

  it('a file that is no photograph, and a HEIC that the browser cannot open, are refused with words', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.give(Buffer.from('not an image'), 'gallery');
    await phone.tab.getByText('This file is not a photo that can be opened here.').waitFor();
    expect(await phone.checkState('bad-file')).toEqual([]);
    await phone.give(Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(500)]), 'gallery', 'image/heic');
    await phone.tab.getByText('This browser cannot open HEIC photos.').waitFor();
    expect(server.report.assets.size).toBe(0);
  });

  it('Korean and English, the hand, and the link that does not work', async () => {
    const server = await serve({ session: { language: 'ko' } });
    const phone = await phoneAt(server);
    await phone.heading('Hana Motors에서 타이어 사진을 요청했습니다').waitFor();
    expect(await phone.tab.evaluate('document.documentElement.lang')).toBe('ko');
    expect(await phone.checkState('welcome-korean')).toEqual([]);
    await phone.tap('English');
    await phone.heading('Hana Motors asks for photos of your tires').waitFor();
    await phone.tap('Buttons for the left hand');
    await phone.tab.reload();
    await phone.tab.getByRole('button', { name: 'Buttons for the right hand' }).waitFor();
    server.report.isUnknown = true;
    await phone.tab.reload();
    await phone.heading('This link does not work').waitFor();
    expect(await phone.checkState('unknown')).toEqual([]);
  });
});
