from django.urls import path

from gateway.api import metrics, money

urlpatterns = [
    path("metrics/", metrics.MetricsView.as_view(), name="metrics"),
    path("budgets/", money.BudgetsView.as_view(), name="budgets"),
    path("budgets/unverified/", money.UnverifiedView.as_view(), name="budget_unverified"),
    path("budgets/charges/<uuid:hold_id>/correction/", money.CorrectionView.as_view(), name="charge_correction"),
    path("budgets/<int:budget_id>/", money.BudgetView.as_view(), name="budget"),
    path("budgets/<int:budget_id>/entries/", money.EntriesView.as_view(), name="budget_entries"),
    path("budgets/<int:budget_id>/adjustments/", money.AdjustmentsView.as_view(), name="budget_adjustments"),
    path("prices/", money.PricesView.as_view(), name="prices"),
]
