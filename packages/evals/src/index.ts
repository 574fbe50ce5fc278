export type { CaseLimits, EvalCase, EvalFile, EvalSuite, EvalTurn, SkillOffer } from './case/eval-case.js';
export type {
  ActionRule,
  Expectations,
  ExpectedSkills,
  OutputCheck,
  OutputOf,
  OutputSubject,
  StepPattern,
} from './case/expectations.js';
export { isCaseId } from './case/case-id.js';
export { checkSuite, type CheckSuiteOptions } from './case/check-suite.js';
export { formatSuite, type FormatSuiteOptions } from './case/format-suite.js';
export type { PlaceFile } from './case/written-suite-of.js';
export { parseSuite, type ParseSuiteOptions } from './case/parse-suite.js';
export { checkActions } from './check/check-actions.js';
export { checkOutput, type OutputPorts } from './check/check-output.js';
export type { CheckPorts } from './check/check-ports.js';
export type { CheckKind, CheckResult } from './check/check-result.js';
export { checkSkills } from './check/check-skills.js';
export { checkTrial, type TrialToCheck } from './check/check-trial.js';
export { firedSkills } from './check/fired-skills.js';
export type { OutputToCheck } from './check/output/output-to-check.js';
export type { TrialChecks } from './check/trial-checks.js';
export { wantedSkills } from './check/wanted-skills.js';
export { detectFormat } from './formats/detect-format.js';
export { exportSuite } from './formats/export-suite.js';
export type { ExportedSuite, ExportFormat } from './formats/export/exported-suite.js';
export { importSuite, type ImportOptions } from './formats/import-suite.js';
export type { CaseFormat, ImportedSuite, ImportNote } from './formats/imported-suite.js';
export { workspaceFiles } from './formats/workspace-files.js';
export type { WorkspaceFeedback, WorkspaceFile, WorkspaceOptions } from './formats/workspace/workspace-options.js';
export type { CompareOptions } from './gate/compare-options.js';
export { compareResults } from './gate/compare-results.js';
export { compareRanks } from './ranking/compare-ranks.js';
export type { CompareRanksOptions } from './ranking/compare-ranks-options.js';
export { formatRankReport, parseRankReport } from './ranking/rank-document.js';
export { rankQueries, type RankOptions, type RankPorts } from './ranking/rank-queries.js';
export type { EvalThresholds } from './score/eval-thresholds.js';
export { formatReport, parseReport } from './score/report-document.js';
export { scoreResults, type ScoreOptions } from './score/score-results.js';
export { f1Of, type ChoiceCounts } from './statistics/f1-of.js';
export { mcnemarTest } from './statistics/mcnemar-test.js';
export { neededPairs, neededRuns, type NeededOptions, type PairedDifference } from './statistics/needed-sizes.js';
export { pairedBootstrap } from './statistics/paired-bootstrap.js';
export type { BootstrapOptions } from './statistics/percentile-bootstrap.js';
export { passAtK, passHatK } from './statistics/pass-at-k.js';
export { rateOf } from './statistics/rate-of.js';
export { wilsonInterval, type WilsonOptions } from './statistics/wilson-interval.js';
export type { CaseChange, EvalComparison, GateVerdict, MeasureComparison } from './gate/eval-comparison.js';
export type { Judge, JudgeAnswer, JudgeRequest } from './judge/judge.js';
export { modelJudge, type ModelJudgeOptions } from './judge/model-judge.js';
export type { EvalArm, EvalJob, EvalPlan, EvalShard } from './plan/eval-job.js';
export { mergeShards, type MergeShardsOptions, type ShardResults } from './plan/merge-shards.js';
export { formatPlan, parsePlan } from './plan/parse-plan.js';
export { formatShard, parseShard } from './plan/parse-shard.js';
export { planEvals, type PlanPorts } from './plan/plan-evals.js';
export { shardPlan, type ShardOptions } from './plan/shard-plan.js';
export type { RankComparison, RankedQuery, RankMove, RankReport, SkillLoss } from './ranking/rank-report.js';
export type { HtmlReport, RenderHtmlOptions, ReportPage } from './report/html-report.js';
export { renderRanksMarkdown } from './report/render-ranks-markdown.js';
export { renderRanksText } from './report/render-ranks-text.js';
export { renderReportHtml } from './report/render-report-html.js';
export { renderReportJunit, type JunitRanks } from './report/render-report-junit.js';
export { renderReportMarkdown } from './report/render-report-markdown.js';
export { renderReportText } from './report/render-report-text.js';
export type {
  EvalResult,
  JudgeSpent,
  LeftFile,
  TrialOutcome,
  TrialSpent,
  WantedSkills,
} from './results/eval-result.js';
export { formatResult } from './results/format-result.js';
export { memoryResults } from './results/memory-results.js';
export { parseResults, type ParseResultsOptions } from './results/parse-results.js';
export type { ResultsLog } from './results/results-log.js';
export { selectResults } from './results/select-results.js';
export type { EvalExecutor } from './run/eval-executor.js';
export type { PlanOptions, RunEvalsOptions } from './run/eval-options.js';
export type { EvalRun, EvalWork } from './run/eval-work.js';
export { inProcess, type InProcessOptions } from './run/in-process.js';
export { prepareWork, type DoJob, type WorkOptions, type WorkPorts } from './run/prepare-work.js';
export { runEvals } from './run/run-evals.js';
export { selfTest, type SelfTestOptions, type SelfTestPorts } from './run/self-test.js';
export type { SelfTestFinding, SelfTestReport } from './run/self-test-report.js';
export type {
  CaseCell,
  CaseScore,
  ConfusionCell,
  EvalReport,
  EvalVerdict,
  KEstimate,
  Lift,
  OutcomeCounts,
  ReportSpent,
  SkillScore,
  TaskScore,
  TriggerScore,
} from './score/eval-report.js';
export type { Interval, Rate } from './statistics/rate.js';
export type {
  CaseFiles,
  EvalPorts,
  EvalWorkspace,
  ModelSource,
  OpenGround,
  OpenJob,
  OpenModel,
  TrialGround,
} from './trial/eval-ports.js';
export { stepsOf } from './transcript/steps-of.js';
export type { RunStep } from './trial/run-step.js';
export { runTrial, type TrialOptions } from './trial/run-trial.js';
export type { TrialPorts } from './trial/trial-ports.js';
