import { describe, expect, it } from 'vitest';
import {
  NEW_DRAFT,
  readDraft,
  type SensorDraft,
} from '../../../../web/screens/sensors/sensor-draft.ts';

const good: SensorDraft = { ...NEW_DRAFT, id: 'room-1', unit: '°C' };

describe('the form of a sensor', () => {
  it('says nothing is wrong with what is not written yet', () => {
    expect(readDraft(NEW_DRAFT)).toEqual({ sensor: undefined, wrong: new Set() });
  });

  it('leaves the code to the platform where the type is enough', () => {
    expect(readDraft(good).sensor).toEqual({
      sensor_id: 'room-1',
      type: 'temperature',
      unit: '°C',
    });
  });

  it('takes full-width digits, as a Japanese input method gives them', () => {
    const { sensor } = readDraft({ ...good, code: 'rate', low: '－５', high: '４０．５' });

    expect(sensor?.encoding).toEqual({ code: 'rate', low: -5, high: 40.5 });
  });

  it.each<[Partial<SensorDraft>, readonly string[]]>([
    [{ id: 'no good' }, ['id']],
    [{ type: 'Temperature' }, ['type']],
    [{ rate: 'often' }, ['rate']],
    [{ rate: '0' }, ['rate']],
    [{ threshold: '-1' }, ['threshold']],
    [{ low: '9', high: '1' }, ['low', 'high']],
    // Nothing is usual for this type, so the rate code knows no range.
    [{ type: 'mystery', code: 'rate' }, ['low', 'high']],
  ])('says what is wrong with %o', (part, wrong) => {
    const read = readDraft({ ...good, ...part });

    expect(read.sensor).toBeUndefined();
    expect([...read.wrong]).toEqual(expect.arrayContaining([...wrong]));
  });
});
