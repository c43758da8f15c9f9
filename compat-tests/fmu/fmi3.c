#include "ball.h"
#include <stdbool.h>
#include <stdint.h>

typedef void (*Logger)(void *, int, const char *, const char *);
typedef unsigned Vr;

#define LOG(m, status, text) ((Logger)(m)->log)((m)->env, status, "test", text)

const char *fmi3GetVersion(void) { return "3.0"; }

static void *make(const char *token, const char *resources, bool logging, void *env, void *log) {
  if (strcmp(token, "{ball}")) {
    ((Logger)log)(env, 3, "test", "the token is another");
    return 0;
  }
  Model *m = calloc(1, sizeof *m);
  start(m);
  m->env = env;
  m->log = log;
  if (logging) {
    char text[4200];
    snprintf(text, sizeof text, "%s with %s", resources, resource(resources, "data.txt"));
    LOG(m, 0, text);
  }
  return m;
}
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging, bool events,
                                  bool early, const Vr *required, size_t n, void *env, void *log, void *update) {
  Model *m = make(token, resources, logging, env, log);
  if (m) m->is_stepping = 1;
  return m;
}
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logging, void *env, void *log) {
  return make(token, resources, logging, env, log);
}
typedef void (*Update)(void *);
typedef void (*Preempt)(void);
static Update update_clocks;
static Preempt lock, unlock;
void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible, bool logging, void *env,
                                        void *log, Update update, Preempt locks, Preempt unlocks) {
  update_clocks = update;
  lock = locks;
  unlock = unlocks;
  return make(token, resources, logging, env, log);
}
// The clock 70 ticks by itself, 71 starts the countdown of 72 at each second tick, and 73 becomes slower. Each shows in a digit.
int fmi3ActivateModelPartition(void *c, Vr clock, double time) {
  Model *m = c;
  misbehave(m);
  lock();
  m->ticked = fmod(10 * m->ticked + (clock - 69), 1e12);
  m->last_tick = time;
  unlock();
  if (clock == 71 && ++m->ticks % 2 == 0) {
    m->countdown = 0.47;
    update_clocks(m->env);
  }
  return 0;
}
int fmi3GetIntervalDecimal(void *c, const Vr *vr, size_t n, double *interval, int *qualifier) {
  Model *m = c;
  *qualifier = 1;
  if (vr[0] == 72 && m->countdown > 0) {
    *interval = m->countdown;
    *qualifier = 2;
    m->countdown = 0;
  }
  if (vr[0] == 73 && (m->bounces == 0 || (m->bounces == 1 && m->last_tick > 0.39))) {
    *interval = m->bounces++ == 0 ? 0.2 : m->u > 3 ? -1 : 0.15;
    *qualifier = 2;
  }
  return 0;
}
void fmi3FreeInstance(void *c) { barred(c); crash_if(c, CRASH_FREED); free(c); }
int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double from, bool stop_defined, double to) { return stop_defined ? 3 : 0; }
int fmi3ExitInitializationMode(void *c) { ((Model *)c)->in_event = 1; return 0; }
int fmi3EnterEventMode(void *c) { ((Model *)c)->in_event = 1; return 0; }
int fmi3EnterStepMode(void *c) { ((Model *)c)->in_event = 0; return 0; }
int fmi3EnterContinuousTimeMode(void *c) { ((Model *)c)->in_event = 0; return 0; }
int fmi3Terminate(void *c) { barred(c); crash_if(c, CRASH_ENDED); return 0; }
int fmi3Reset(void *c) { start(c); return 0; }

static void set(Model *m) { m->is_set = m->is_stepping && !m->in_event && m->time > 0; }

int fmi3GetFloat64(void *c, const Vr *vr, size_t n, double *value, size_t values) {
  Model *m = c;
  if (barred(m)) return 3;
  for (size_t i = 0; i < n; i++) {
    if (vr[i] == 10) {
      memcpy(value, m->list, sizeof m->list);
      value += 3;
    } else if (vr[i] == 17) {
      memcpy(value, m->matrix, sizeof m->matrix);
      value += 6;
    } else *value++ = vr[i] == 0 ? m->h : vr[i] == 1 ? m->v : vr[i] == 2 ? m->g : vr[i] == 3 ? m->e : vr[i] == 4 ? m->u : vr[i] == 5 ? 2 * m->u : vr[i] == 6 ? m->v : vr[i] == 7 ? m->g : vr[i] == 80 ? m->ticked : vr[i] == 81 ? m->last_tick : vr[i] == 82 ? m->asked : vr[i] == 16 ? m->nominal : vr[i] == 83 ? m->matrix[2] : m->time;
  }
  return 0;
}
int fmi3SetFloat64(void *c, const Vr *vr, size_t n, const double *value, size_t values) {
  Model *m = c;
  set(m);
  for (size_t i = 0; i < n; i++) {
    if (vr[i] == 10) {
      memcpy(m->list, value, sizeof m->list);
      value += 3;
    } else if (vr[i] == 17) {
      memcpy(m->matrix, value, sizeof m->matrix);
      value += 6;
    } else *(vr[i] == 0 ? &m->h : vr[i] == 1 ? &m->v : vr[i] == 2 ? &m->g : vr[i] == 3 ? &m->e : vr[i] == 16 ? &m->nominal : &m->u) = *value++;
  }
  return 0;
}
int fmi3GetFloat32(void *c, const Vr *vr, size_t n, float *value, size_t values) { value[0] = ((Model *)c)->single; return 0; }
int fmi3SetFloat32(void *c, const Vr *vr, size_t n, const float *value, size_t values) { ((Model *)c)->single = value[0]; return 0; }
// Every other integer type shows one number, which is more when the gear is, and which each of them sets.
#define SHOW(name, type) \
  int fmi3Get##name(void *c, const Vr *vr, size_t n, type *value, size_t values) { \
    Model *m = c; \
    if (barred(m)) return 3; \
    for (size_t i = 0; i < values; i++) value[i] = vr[i] == 75 ? 3 : (type)(m->offset + m->gear); \
    return 0; \
  } \
  int fmi3Set##name(void *c, const Vr *vr, size_t n, const type *value, size_t values) { \
    Model *m = c; \
    set(m); \
    m->offset = (unsigned long long)value[0] - m->gear; \
    return 0; \
  }
SHOW(Int8, int8_t)
SHOW(UInt8, uint8_t)
SHOW(Int16, int16_t)
SHOW(UInt16, uint16_t)
SHOW(UInt32, uint32_t)
SHOW(UInt64, uint64_t)
int fmi3GetInt32(void *c, const Vr *vr, size_t n, int32_t *value, size_t values) {
  for (size_t i = 0; i < n; i++) value[i] = vr[i] == 20 ? ((Model *)c)->bounces : vr[i] == 21 ? ((Model *)c)->mode : ((Model *)c)->ticks;
  return 0;
}
int fmi3SetInt32(void *c, const Vr *vr, size_t n, const int32_t *value, size_t values) {
  Model *m = c;
  m->mode = value[0];
  // A discrete parameter may be set in event mode only.
  return m->in_event || m->time == 0 ? 0 : 3;
}
int fmi3GetInt64(void *c, const Vr *vr, size_t n, int64_t *value, size_t values) {
  for (size_t i = 0; i < n; i++) value[i] = vr[i] == 30 ? ((Model *)c)->gear : ((Model *)c)->big;
  return 0;
}
int fmi3SetInt64(void *c, const Vr *vr, size_t n, const int64_t *value, size_t values) {
  for (size_t i = 0; i < n; i++)
    if (vr[i] == 30) ((Model *)c)->gear = (int)value[i];
    else ((Model *)c)->big = value[i];
  return 0;
}
int fmi3GetBoolean(void *c, const Vr *vr, size_t n, bool *value, size_t values) {
  for (size_t i = 0; i < n; i++) value[i] = vr[i] == 40 ? ((Model *)c)->on : !((Model *)c)->on;
  return 0;
}
int fmi3SetBoolean(void *c, const Vr *vr, size_t n, const bool *value, size_t values) { ((Model *)c)->on = value[0]; return 0; }
int fmi3GetString(void *c, const Vr *vr, size_t n, const char **value, size_t values) { value[0] = ((Model *)c)->label; return 0; }
int fmi3SetString(void *c, const Vr *vr, size_t n, const char *const *value, size_t values) {
  snprintf(((Model *)c)->label, sizeof ((Model *)c)->label, "%s", value[0]);
  return 0;
}

// With event mode a step ends at each tick, every quarter of a second.
int fmi3DoStep(void *c, double time, double step, bool no_set, bool *event, bool *terminate, bool *early, double *last) {
  Model *m = c;
  m->asked = time;
  m->is_set = 0;
  misbehave(m);
  if (m->mode == FLOOD)
    for (int i = 0; i < 100000; i++) LOG(m, 0, "one of many");
  if (m->mode == FAIL) {
    LOG(m, 3, "the valve is stuck");
    m->has_failed = 1;
    return 3;
  }
  *terminate = m->mode == TERMINATE;
  *event = time + step >= m->next_tick - 1e-12;
  *early = *event && time + step > m->next_tick + 1e-12;
  double end = *early ? m->next_tick : time + step;
  double part = reach(m, end - time);
  if (part < end - time) {
    *event = *early = false;
    fly(m, part);
    m->time = *last = time + part;
    return 2;
  }
  fly(m, end - time);
  m->time = *last = end;
  return 0;
}
int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals, bool *values, bool *next_defined, double *next) {
  Model *m = c;
  *again = *terminate = *nominals = false;
  *values = granted(m);
  if (m->h <= 1e-9 && m->v < 0) {
    bounce(m);
    *values = true;
  }
  if (m->time >= m->next_tick - 1e-12) {
    m->ticks++;
    m->next_tick += 0.25;
  }
  *next_defined = true;
  *next = m->next_tick;
  return 0;
}

int fmi3SetTime(void *c, double time) { ((Model *)c)->time = time; return 0; }
int fmi3SetContinuousStates(void *c, const double *x, size_t n) {
  ((Model *)c)->h = x[0];
  ((Model *)c)->v = x[1];
  return 0;
}
int fmi3GetContinuousStates(void *c, double *x, size_t n) {
  x[0] = ((Model *)c)->h;
  x[1] = ((Model *)c)->v;
  return 0;
}
int fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n) { x[0] = x[1] = ((Model *)c)->nominal; return 0; }
int fmi3GetContinuousStateDerivatives(void *c, double *dx, size_t n) {
  if (((Model *)c)->mode == REFUSE && ((Model *)c)->h < -0.01) return 2;
  // How often, and with a drag.
  ((Model *)c)->asked++;
  dx[0] = ((Model *)c)->v;
  dx[1] = ((Model *)c)->g - ((Model *)c)->u * ((Model *)c)->v;
  return 0;
}
int fmi3GetEventIndicators(void *c, double *z, size_t n) {
  Model *m = c;
  z[0] = m->h == 0 && m->v > 0 ? 1e-300 : m->h;
  return 0;
}
int fmi3CompletedIntegratorStep(void *c, bool no_set, bool *event, bool *terminate) {
  misbehave(c);
  *event = wants(c);
  *terminate = ((Model *)c)->mode == TERMINATE;
  return 0;
}

int fmi3GetFMUState(void *c, void **state) {
  *state = malloc(sizeof(Model));
  memcpy(*state, c, sizeof(Model));
  return 0;
}
int fmi3SetFMUState(void *c, void *state) {
  Model *m = c, *from = state, kept = *m;
  *m = *from;
  m->log = kept.log;
  m->env = kept.env;
  return 0;
}
int fmi3FreeFMUState(void *c, void **state) { free(*state); *state = 0; return 0; }
int fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) { *size = sizeof(Model); return 0; }
int fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
  crash_if(c, CRASH_SAVED);
  memcpy(bytes, state, size);
  return 0;
}
int fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
  *state = malloc(size);
  memcpy(*state, bytes, size);
  return 0;
}
