import { CreateReportRequest } from '@tire/contracts/api';
import { misspelledFields } from './misspelled-fields';

const paramsOf = (body: object) => misspelledFields(CreateReportRequest, body).map(({ param }) => param);

describe('the misspelled fields of a creation', () => {
  it('have their place, at every depth', () => {
    const image = { moduleType: 'tire', slot: { positon: 'front_left' }, source: { uri: 'https://a.example/' } };
    expect(paramsOf({ plateNumber: '1', content_profile: { lang: 'x', local: 'ko-KR' }, images: [{}, image] })).toEqual([
      'plateNumber',
      'content_profile.local',
      'images[1].moduleType',
      'images[1].slot.positon',
      'images[1].source.uri',
    ]);
  });

  it('are not those beside the field that is meant, nor names in metadata', () => {
    expect(paramsOf({ plate: '1', plate_number: '2', metadata: { image: 1, plateNumber: 2 } })).toEqual([]);
  });

  it('are at most 20 of the first 50 unknown names, so that a body of nothing else costs little', () => {
    const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => [`${name}${index}`, 1]);
    expect(paramsOf(Object.fromEntries(many('image', 30_000)))).toHaveLength(20);
    expect(paramsOf(Object.fromEntries([...many('color', 50), ...many('image', 30_000)]))).toEqual([]);
  });
});
