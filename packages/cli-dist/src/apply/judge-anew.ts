import { SkillsError } from '@skillpack/core';

/** Something stands at a place of the root that was not there, or not like this, when the change was decided. */
export class ChangedMeanwhile extends SkillsError {
  constructor(path: string) {
    super('BUSY', `${path} was changed while the change was being prepared.`, {
      hint: 'Nothing was changed. Run it again when whatever writes there has ended.',
      data: { path },
    });
  }
}

const attempts = 3;

/** Does something that throws {@link ChangedMeanwhile} from the beginning again, a few times. @throws as `attempt`. */
export async function judgeAnew<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || left === 0) throw error;
    }
  }
}
