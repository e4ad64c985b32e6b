# Makes stats_intercepts.csv, against which src/stats/regression.c is tested where clusters or groups
# of columns are: Rscript make_intercepts.R, in this folder. Debian: r-base-core r-cran-mass
# r-cran-survival r-cran-car; the versions that ran are in the first line of the file.
options(warn = -1)
suppressMessages({library(MASS); library(survival); library(car)})
out <- file("stats_intercepts.csv", "w")
writeLines(c(paste0("# ", R.version.string, "; MASS ", packageVersion("MASS"), "; survival ",
                    packageVersion("survival"), "; car ", packageVersion("car"), "; by make_intercepts.R"),
             "method,case,field,values"), out)
put <- function(method, case, ...) {
    fields <- list(...)
    for (name in names(fields))
        writeLines(paste(method, case, name,
                         paste(sprintf("%.17g", as.numeric(fields[[name]])), collapse = " "),
                         sep = ","), out)
}
last <- function(v) c(v[-1], v[1]) # columns first, the intercept last, as our terms are

# Clusters that hardly differ, and such as are far apart: glmer's 25 nodes miss some of an integral
# then, so that this is the maximum of the whole one, on a grid; Newton's steps from nearby.
newton <- function(whole, at) {
    slopes <- function(at, h = 1e-3) sapply(seq_along(at), function(j) {
        e <- replace(numeric(length(at)), j, h)
        (8 * (whole(at + e) - whole(at - e)) - (whole(at + 2 * e) - whole(at - 2 * e))) / (12 * h) })
    curve <- function(at, h = 4e-3) { m <- sapply(seq_along(at), function(j) {
        e <- replace(numeric(length(at)), j, h)
        (8 * (slopes(at + e) - slopes(at - e)) - (slopes(at + 2 * e) - slopes(at - 2 * e))) / (12 * h) })
        -(m + t(m)) / 2 }
    inverse <- solve(curve(at))
    for (round in 1:3) at <- at + inverse %*% slopes(at) # so near that one curvature does
    stopifnot(max(abs(slopes(at))) < 1e-6)
    list(at = c(at), variance = solve(curve(at)))
}
far <- function(method, case, n, groups, sd, draw, density, step) {
    cluster <- as.integer(factor(sample(groups, n, TRUE)))
    x <- cbind(a = rnorm(n), b = rbinom(n, 1, .3) + cluster %% 2 / 2)
    y <- draw(.4 + .7 * x[, 1] - .9 * x[, 2] + sd * rnorm(groups)[cluster])
    grid <- seq(-8.5, 8.5, by = step); of <- split(seq_len(n), cluster)
    whole <- function(at) {
        eta <- at[1] + at[2] * x[, 1] + at[3] * x[, 2]; s <- exp(at[4])
        sum(sapply(of, function(i) {
            logs <- colSums(matrix(density(y[i], outer(eta[i], s * grid, "+"), at), length(i))) +
                dnorm(grid, log = TRUE)
            top <- max(logs); top + log(sum(exp(logs - top)) * step)
        }))
    }
    begin <- c(.4, .7, -.9, log(sd), if (method == "random_counts") log(2))
    near <- nlminb(begin, function(at) -whole(at), lower = begin - 2, upper = begin + 2)$par
    top <- newton(whole, near)
    at <- top$at
    put(method, case, x = t(x), y = y, width = 2, cluster = cluster, estimate = last(at[1:3]),
        error = last(sqrt(diag(top$variance))[1:3]), deviation = exp(at[4]), log_likelihood = whole(at))
    if (method == "random_counts") put(method, case, theta = exp(at[5]), laplace = last(at[1:3]))
}
yes <- function(eta) rbinom(length(eta), 1, plogis(eta))
spread <- function(eta) rnegbin(length(eta), exp(eta), 2)
logistic <- function(y, eta, at) plogis((2 * y - 1) * eta, log.p = TRUE)
negative <- function(y, eta, at) dnbinom(y, exp(at[5]), mu = exp(eta), log = TRUE)
set.seed(19)
far("random", "near", 600, 30, .4, yes, logistic, .1)
far("random", "apart", 300, 40, 3, yes, logistic, .1)
far("random", "farther", 400, 60, 6, yes, logistic, .05)
far("random", "farthest", 600, 80, 9, yes, logistic, .03)
far("random_counts", "near", 400, 20, .25, spread, negative, .1)
far("random_counts", "apart", 300, 30, 3, spread, negative, .03)
far("random_counts", "farthest", 300, 40, 6, spread, negative, .015)

# Frailties of clusters. coxph's own search ends with some five digits of the variance; here it is
# where the slope of the likelihood that coxph gives at a fixed variance is 0.
set.seed(18)
for (case in c("ties", "none", "few", "many", "long")) {
    groups <- c(ties = 25, none = 25, few = 4, many = 90, long = 40)[case]
    n <- if (case == "many") 250 else 200
    cluster <- as.integer(factor(sample(groups, n, TRUE)))
    x <- cbind(rnorm(n), rbinom(n, 1, .4) + cluster %% 2 / 3)
    variance <- if (case == "long") 4 else .6
    frailty_of <- rgamma(groups, 1 / variance, 1 / variance)
    time <- rexp(n, frailty_of[cluster] * exp(.6 * x[, 1] - .5 * x[, 2]) / 20)
    until <- runif(n, 1, 60); if (case != "none") { time <- ceiling(time); until <- ceiling(until) }
    happened <- time <= until; time <- pmin(time, until)
    at <- function(theta) coxph(Surv(time, happened) ~ x + frailty(cluster, distribution = "gamma",
        theta = theta, sparse = FALSE), ties = "efron",
        control = coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 100))
    d <- tapply(happened, cluster, sum)
    slope <- function(log_theta) { nu <- exp(-log_theta); w <- coef(at(1 / nu))[-(1:2)]
        w <- w - log(mean(exp(w)))
        sum(w) + sum(digamma(d + nu) - digamma(nu) + log(nu) - log(d + nu)) }
    theta <- exp(uniroot(slope, log(c(.02, 20)), tol = 1e-13)$root)
    fit <- at(theta)
    plain <- coxph(Surv(time, happened) ~ x, ties = "efron")$loglik[2]
    whole <- fit$history[[1]]$c.loglik
    own <- coxph(Surv(time, happened) ~ x + frailty(cluster, distribution = "gamma", eps = 1e-10),
                 control = coxph.control(outer.max = 100))$history[[1]]
    stopifnot(abs(own$theta / theta - 1) < 1e-3, whole >= own$c.loglik - 1e-8)
    put("frailty", case, x = t(x), y = time, happened = happened, width = 2, cluster = cluster,
        estimate = coef(fit)[1:2], error = sqrt(diag(fit$var))[1:2], variance = theta,
        log_likelihood = whole, p = pchisq(2 * (whole - plain), 1, lower.tail = FALSE) / 2)
}

# Variance inflation of whole groups, by package car from a linear model: the columns alone matter.
set.seed(4)
group <- sample(4, 150, TRUE); kind <- pmin(group, sample(3, 150, TRUE))
a <- rnorm(150) + group / 2; b <- rnorm(150) + a / 2
columns <- model.matrix(~ factor(group) + a + factor(kind) + b)[, -1]
found <- car::vif(lm(rnorm(150) ~ factor(group) + a + factor(kind) + b))
put("generalised", "factors", x = t(columns), width = ncol(columns), group = c(0, 0, 0, 1, 2, 2, 3),
    y = rbinom(150, 1, .5), cluster = rep(1:10, 15), vif = found[c(1, 1, 1, 2, 3, 3, 4), 1],
    df = found[c(1, 1, 1, 2, 3, 3, 4), 2])
close(out)
